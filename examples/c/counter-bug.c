// expect: unsat
// The step does not meet the bound.
#include <assert.h>

int main(void) {
  int x = 0;
  while (x < 10)
    x += 3;
  assert(x == 10);
  return 0;
}
