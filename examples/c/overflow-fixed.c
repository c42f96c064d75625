// expect: sat
// options: c-arith=wrap-check
// The mean of two numbers without overflow.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  __VERIFIER_assume(low >= 0 && low <= high);
  int middle = low + (high - low) / 2;
  assert(low <= middle && middle <= high);
  return 0;
}
