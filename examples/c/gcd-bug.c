// expect: unsat
// Without the assumption that the number is positive, something is divided by zero.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int main(void) {
  int a = __VERIFIER_nondet_int(), b = 12;
  __VERIFIER_assume(a >= 0 && a < 10);
  while (b != 0) {
    int rest = b % a;
    b = a;
    a = rest;
  }
  return 0;
}
