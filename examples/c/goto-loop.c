// expect: sat
// A loop of jumps.
#include <assert.h>

int main(void) {
  int x = 0, y = 0;
again:
  x++;
  y += 2;
  if (x < 20)
    goto again;
  assert(y == 2 * x);
  return 0;
}
