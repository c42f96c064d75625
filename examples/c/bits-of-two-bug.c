// expect: unsat
// A number without its lowest bit is not always smaller by one.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  if (x == 0)
    return 0;
  unsigned y = x & (x - 1);
  assert(y == x - 1 || y == x - 2);
  return 0;
}
