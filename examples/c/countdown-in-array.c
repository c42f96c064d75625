// expect: sat
// What steps and assignments to elements give is what they have stored, or what was there before.
#include <assert.h>

int main(void) {
  int left[2] = {3, 0};
  int steps = 0;
  while (left[0]--) {
    steps += left[1] = 1;
  }
  assert(left[0] == -1);
  assert(left[1] == 1 && steps == 3);
  return 0;
}
