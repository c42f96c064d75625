// expect: unsat
// Example X3 with a bound that is too large: for 102 it gives 92.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int mc91(int n) {
  if (n > 100)
    return n - 10;
  return mc91(mc91(n + 11));
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x <= 102);
  int y = mc91(x);
  assert(y == 91);
  return 0;
}
