// expect: unsat
// The fifth Fibonacci number is 5.
#include <assert.h>

int fibonacci(int n) {
  if (n < 1)
    return 0;
  if (n == 1)
    return 1;
  return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void) {
  int result = fibonacci(5);
  assert(result != 5);
  return 0;
}
