// expect: sat
// Fibonacci numbers grow at least as fast as the index minus one.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int fibonacci(int n) {
  if (n < 1)
    return 0;
  if (n == 1)
    return 1;
  return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  assert(fibonacci(n) >= n - 1);
  return 0;
}
