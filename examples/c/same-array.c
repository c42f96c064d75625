// expect: unsat
// Two parameters stand for one array, so the element that is moved is lost.
#include <assert.h>

int move(int from[], int to[], int i) {
  to[i] = to[i] + from[i];
  from[i] = 0;
  return to[i];
}

int main(void) {
  int v[4] = {1, 2, 3, 4};
  int w[4] = {0, 0, 0, 0};
  assert(move(v, w, 2) == 3);
  assert(move(w, w, 2) == 6);
  return 0;
}
