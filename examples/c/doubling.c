// expect: sat
// Example X4: the second loop keeps the number even.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 1000, y = 0;
  while (x > 0) {
    x--;
    while (__VERIFIER_nondet_int())
      y = 2 * (x + y);
  }
  assert(y != 5 && x == 0);
  return 0;
}
