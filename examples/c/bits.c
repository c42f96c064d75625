// expect: sat
// Bit operations by constants.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  assert((x & 7) == x % 8);
  assert((x >> 3) == x / 8);
  assert((x | 1) >= x);
  assert(((x ^ 5) ^ 5) == x);
  return 0;
}
