// expect: sat
// Example X2: two counters go down together.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int main(void) {
  int i = __VERIFIER_nondet_int();
  int j = __VERIFIER_nondet_int();
  __VERIFIER_assume(i >= 0 && j >= 0);
  int x = i, y = j;
  while (x != 0) {
    x--;
    y--;
  }
  if (i == j)
    assert(y == 0);
  return 0;
}
