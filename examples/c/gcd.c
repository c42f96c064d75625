// expect: sat
// The greatest common divisor of positive numbers is positive, by subtraction.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  __VERIFIER_assume(a > 0 && b > 0);
  while (a != b) {
    if (a > b)
      a -= b;
    else
      b -= a;
  }
  assert(a > 0);
  return 0;
}
