// expect: sat
// A sender and a receiver in turns, with events as flags and jumps to where each has stopped.
extern void abort(void);
void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int sender_at = 0, receiver_at = 0;
int sent = 2;
int value, expected;

void error(void) {
ERROR: { reach_error(); abort(); }
  goto ERROR;
}

void receiver(void) {
  if (receiver_at == 0) {
    goto FIRST;
  } else {
    if (receiver_at == 1) {
      goto WAITING;
    } else {}
  }
FIRST:;
  while (1) {
    receiver_at = 1;
    goto return_label;
  WAITING:
    if (sent == 1) {
      value += 1;
      sent = 2;
    }
  }
return_label:
  return;
}

void sender(void) {
  if (sender_at == 1) {
    if (value != expected + 1)
      error();
  } else {}
  value = __VERIFIER_nondet_int();
  expected = value;
  sent = 1;
  sender_at = 1;
}

int main(void) {
  receiver();
  while (__VERIFIER_nondet_int()) {
    sender();
    receiver();
  }
  return 0;
}
