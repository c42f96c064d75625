// expect: unsat
// Inputs that open a lock, with the functions that verification tasks use.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

void __VERIFIER_assert(int condition) {
  if (!condition) {
  ERROR: { reach_error(); abort(); }
  }
}

void assume_abort_if_not(int condition) {
  if (!condition)
    abort();
}

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  assume_abort_if_not(a > 10 && a < 20);
  assume_abort_if_not(b == 2 * a + 1);
  __VERIFIER_assert(b != 31);
  return 0;
}
