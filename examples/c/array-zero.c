// expect: sat
// Every element that the loop has passed is zero.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[100];
  int k = __VERIFIER_nondet_int();
  for (int i = 0; i < 100; i++)
    a[i] = 0;
  if (k >= 0 && k < 100)
    assert(a[k] == 0);
  return 0;
}
