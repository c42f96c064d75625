// expect: sat
// A number goes up and comes down again.
#include <assert.h>

int main(void) {
  int x = 0, y = 50;
  while (x < 100) {
    if (x >= 50)
      y++;
    x++;
  }
  assert(y == 100);
  return 0;
}
