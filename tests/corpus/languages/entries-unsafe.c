// expect: unsat
// A function that fails is entered with the values of its calls only.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int limit = 10;

int search(int n) {
  int steps = 0;
  while (n > 1) {
    n = n % 2 == 0 ? n / 2 : n - 1;
    steps++;
  }
  if (steps > limit)
    reach_error();
  return steps;
}

int main() {
  int n = __VERIFIER_nondet_int();
  if (n > 0 && n < 5)
    search(n);
  limit = 2;
  return search(8);
}
