// expect: sat
// Three locks, each taken and given back under one condition, as verification tasks write it.
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *)
    __attribute__((__nothrow__, __leaf__)) __attribute__((__noreturn__));
void reach_error() { __assert_fail("0", "locks.c", 3, "reach_error"); }
extern int __VERIFIER_nondet_int();

int main() {
  int wants1 = __VERIFIER_nondet_int();
  int lock1;
  int wants2 = __VERIFIER_nondet_int();
  int lock2;
  int wants3 = __VERIFIER_nondet_int();
  int lock3;
  while (1) {
    if (__VERIFIER_nondet_int() == 0) {
      goto out;
    } else {}
    lock1 = 0;
    lock2 = 0;
    lock3 = 0;
    if (wants1 != 0) { lock1 = 1; } else {}
    if (wants2 != 0) { lock2 = 1; } else {}
    if (wants3 != 0) { lock3 = 1; } else {}
    if (wants1 != 0) {
      if (lock1 != 1) goto ERROR;
      lock1 = 0;
    } else {}
    if (wants2 != 0) {
      if (lock2 != 1) goto ERROR;
      lock2 = 0;
    } else {}
    if (wants3 != 0) {
      if (lock3 != 1) goto ERROR;
      lock3 = 0;
    } else {}
  }
out:
  return 0;
ERROR: { reach_error(); abort(); }
  return 0;
}
