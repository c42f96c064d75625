// expect: unsat
// Unsigned numbers wrap around: counting down from zero does not end below zero.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  n--;
  assert(n < 4000000000u);
  return 0;
}
