// expect: unsat
// options: c-arith=wrap-check
// The mean of two numbers, as it was computed in many libraries.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  __VERIFIER_assume(low >= 0 && low <= high);
  int middle = (low + high) / 2;
  return middle < low;
}
