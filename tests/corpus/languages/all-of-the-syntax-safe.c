// expect: sat
/* All statements and operators that are read. */
#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#define SIZE 4
#define LOW (-3)

typedef unsigned int word;
enum color { RED, GREEN = 5, BLUE };
static const int table[2][2] = {{1, 2}, {3, 4}};
int counter;
extern int __VERIFIER_nondet_int(void);
extern bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int);

static inline int twice(int x) { return x << 1; }

int sum(int n) {
  static int calls = 0;
  calls++;
  if (n <= 0)
    return 0;
  return n + sum(n - 1);
}

int main(void) {
  int a[SIZE], i, j = 0;
  word w = 0xffU;
  bool b = __VERIFIER_nondet_bool();
  char c = 'a';
  uint8_t small = 255;
  for (i = 0; i < SIZE; ++i)
    a[i] = twice(i);
  do {
    if (j == 2)
      continue;
    j += b ? 1 : 2;
  } while (j < LOW + 10 && j != 2);
  switch (c) {
  case 'a':
  case 'b':
    j = GREEN;
    break;
  default:
    j = BLUE;
  }
  small++;
  w &= 0x0f;
  w |= 1;
  w = ~w;
  j = (i = 3, i + 1), j -= -1;
  counter = table[1][0] + (int)sizeof(int);
  if (!(c == 97) || small != 0)
    goto fail;
  assert(j == 5 && "the comma operator");
  assert(counter == 7 && w <= UINT_MAX && i == 3);
  assert(sum(__VERIFIER_nondet_int()) >= 0);
  while (1) {
    if (b & (j > 0))
      break;
    exit(1);
  }
  return 0;
fail:
  abort();
}
