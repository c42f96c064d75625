/* What programs of `cargo xtask c` are linked with instead of the runtime of the sanitizer: the first thing that must not happen
   ends the run, and is told with its place and the values of the global variables. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static long long inputs[16];
static int given, taken;
static void (*dump)(void);

static void over(const char *what, unsigned line) {
  printf("end %s %u\n", what, line);
  dump();
  fflush(stdout);
  _exit(0);
}
int __VERIFIER_nondet_int(void) {
  if (taken >= given)
    over("input", 0);
  return (int)inputs[taken++];
}
void __VERIFIER_assume(int condition) {
  if (!condition)
    over("excluded", 0);
}

struct location {
  const char *file;
  uint32_t line, column;
};
struct type {
  uint16_t kind, info;
};
struct division {
  struct location at;
  struct type *type;
};
struct shift {
  struct location at;
  struct type *left, *right;
};

static long long number(struct type *type, uintptr_t value) {
  unsigned width = 1u << (type->info >> 1);
  if (width > 8 * sizeof value)
    return *(long long *)value;
  if (width == 64 || !(type->info & 1))
    return (long long)value;
  return (long long)((unsigned long long)value << (64 - width)) >> (64 - width);
}
static void overflow(struct location *at) { over("overflow", at->line); }

void __ubsan_handle_add_overflow(struct location *at) { overflow(at); }
void __ubsan_handle_sub_overflow(struct location *at) { overflow(at); }
void __ubsan_handle_mul_overflow(struct location *at) { overflow(at); }
void __ubsan_handle_negate_overflow(struct location *at) { overflow(at); }
void __ubsan_handle_out_of_bounds(struct location *at) { over("bounds", at->line); }
void __ubsan_handle_divrem_overflow(struct division *data, uintptr_t a, uintptr_t b) {
  (void)a;
  over(number(data->type, b) == 0 ? "division" : "overflow", data->at.line);
}
void __ubsan_handle_shift_out_of_bounds(struct shift *data, uintptr_t a, uintptr_t b) {
  long long places = number(data->right, b);
  if (places < 0 || places >= 1 << (data->left->info >> 1))
    over("shift", data->at.line);
  over((data->left->info & 1) && number(data->left, a) < 0 ? "negative" : "overflow", data->at.line);
}

struct program {
  int (*run)(void);
  void (*dump)(void);
};
static int play(const struct program *programs) {
  int which, count;
  for (int job = 0; scanf("%d %d", &which, &count) == 2; job++) {
    for (int i = 0; i < count; i++)
      if (scanf("%lld", &inputs[i]) != 1)
        return 1;
    given = count;
    printf("job %d\n", job);
    fflush(stdout);
    pid_t child = fork();
    if (child < 0)
      return 1;
    if (child == 0) {
      alarm(2);
      dump = programs[which].dump;
      if (count < 0)
        over("beginning", 0);
      programs[which].run();
      over("finished", 0);
    }
    int status;
    if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
      printf("end lost 0\n");
  }
  return 0;
}
#define assert(condition) ((condition) ? (void)0 : over("assertion", __LINE__))
#define reach_error() over("error", __LINE__)
