// expect: sat
// Two functions that call each other.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int is_odd(int n);

int is_even(int n) {
  if (n == 0)
    return 1;
  return is_odd(n - 1);
}

int is_odd(int n) {
  if (n == 0)
    return 0;
  return is_even(n - 1);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0);
  int e = is_even(n);
  assert(e == 0 || e == 1);
  return 0;
}
