// expect: sat
// A loop that counts to a bound stops at it.
#include <assert.h>

int main(void) {
  int x = 0;
  while (x < 100)
    x++;
  assert(x == 100);
  return 0;
}
