// expect: sat
// Example X3: the function of McCarthy gives 91 up to 100.
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
  __VERIFIER_assume(x <= 100);
  assert(mc91(x) == 91);
  return 0;
}
