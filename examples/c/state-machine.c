// expect: sat
// A door is open only if it was unlocked before.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum state { LOCKED, CLOSED, OPEN };

int main(void) {
  enum state state = LOCKED;
  int unlocked = 0;
  while (1) {
    switch (__VERIFIER_nondet_int()) {
    case 0:
      if (state == LOCKED) {
        state = CLOSED;
        unlocked = 1;
      }
      break;
    case 1:
      if (state == CLOSED)
        state = OPEN;
      break;
    case 2:
      if (state == OPEN)
        state = CLOSED;
      break;
    default:
      if (state == CLOSED) {
        state = LOCKED;
        unlocked = 0;
      }
    }
    if (state == OPEN)
      assert(unlocked);
  }
}
