// expect: sat
// Quotients round towards zero, remainders have the sign of the dividend.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int q = x / 7, r = x % 7;
  assert(7 * q + r == x);
  assert(-7 < r && r < 7);
  if (x < 0)
    assert(r <= 0 && q <= 0);
  return 0;
}
