// expect: sat
// Bit operations of two unknown numbers.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  unsigned char y = __VERIFIER_nondet_uchar();
  assert((x & y) <= x);
  assert((x | y) + (x & y) == x + y);
  return 0;
}
