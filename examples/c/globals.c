// expect: sat
// Functions that share a variable.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int balance = 0;

void deposit(int amount) {
  for (int i = 0; i < amount; i++)
    balance++;
}

int main(void) {
  int before = balance;
  deposit(__VERIFIER_nondet_int());
  assert(balance >= before);
  return 0;
}
