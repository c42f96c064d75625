// expect: unsat
// The function forgets the last element of the array that it gets.
#include <assert.h>

void clear(int a[], int n) {
  for (int i = 0; i < n - 1; i++)
    a[i] = 0;
}

int main(void) {
  int v[3] = {7, 7, 7};
  clear(v, 3);
  assert(v[2] == 0);
  return 0;
}
