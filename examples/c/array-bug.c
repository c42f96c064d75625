// expect: unsat
// The last element is forgotten.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int main(void) {
  int a[4] = {1, 1, 1, 1};
  for (int i = 0; i < 3; i++)
    a[i] = 0;
  int k = __VERIFIER_nondet_int();
  __VERIFIER_assume(0 <= k && k < 4);
  assert(a[k] == 0);
  return 0;
}
