// expect: unsat
// The second phase begins one step too late.
#include <assert.h>

int main(void) {
  int x = 0, y = 5;
  while (x < 10) {
    if (x > 5)
      y++;
    x++;
  }
  assert(y == 10);
  return 0;
}
