// expect: unsat
// One case falls through to the next.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum state { LOCKED, CLOSED, OPEN };

int main(void) {
  enum state state = LOCKED;
  int unlocked = 0;
  for (int i = 0; i < 3; i++) {
    switch (__VERIFIER_nondet_int()) {
    case 0:
      state = CLOSED;
      unlocked = 1;
      break;
    case 1:
      if (state == CLOSED)
        unlocked = 0;
    case 2:
      if (state == CLOSED)
        state = OPEN;
      break;
    }
    assert(state != OPEN || unlocked);
  }
  return 0;
}
