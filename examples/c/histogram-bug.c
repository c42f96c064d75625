// expect: unsat
// No letter comes twice, it is said; the value of `++` of an element tells when one does.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int counters[4];

int main(void) {
  for (int i = 0; i < 3; i++) {
      int letter = __VERIFIER_nondet_int();
      if (0 <= letter && letter < 4 && ++counters[letter] == 2) {
      reach_error();
      }
  }
  return 0;
}
