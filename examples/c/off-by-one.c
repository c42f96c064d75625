// expect: unsat
// The loop runs into the element behind the last one.
extern int __VERIFIER_nondet_int(void);

int a[8];

int main(void) {
  for (int i = 0; i <= 8; i++)
    a[i] = i;
  return 0;
}
