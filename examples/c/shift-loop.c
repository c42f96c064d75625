// expect: sat
// A shift by a number that is counted.
#include <assert.h>

int main(void) {
  unsigned power = 1, n = 0;
  while (n < 20) {
    n++;
    power = 1u << n;
  }
  assert(power >= n);
  return 0;
}
