// expect: sat
// Functions that get an array: they read and write the array of who calls them.
#include <assert.h>

void clear(int a[], int n) {
  for (int i = 0; i < n; i++)
    a[i] = 0;
}

int last(int *a, int n) {
  return a[n - 1];
}

int main(void) {
  int v[8];
  clear(v, 8);
  v[7] = last(v, 3);
  assert(last(v, 8) == 0);
  return 0;
}
