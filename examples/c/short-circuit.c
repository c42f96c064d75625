// expect: sat
// What stands behind && is evaluated only if it is needed.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), calls = 0;
  if (x > 0 && (calls++, x / 10 > 1))
    assert(x >= 20);
  assert(calls == (x > 0));
  return 0;
}
