// expect: sat
// What was written last is there.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int main(void) {
  int a[10] = {0};
  int i = __VERIFIER_nondet_int();
  __VERIFIER_assume(i >= 0 && i < 9);
  a[i] = 7;
  a[i + 1] = 8;
  assert(a[i] == 7 && a[i + 1] == 8);
  return 0;
}
