#define _GNU_SOURCE
#include "CSimulatedSystem.h"

#if defined(__linux__) && defined(__GLIBC__)

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static __thread char *text;

static const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
enum { COUNT = sizeof signals / sizeof *signals };
static struct sigaction earlier[COUNT];

// Calls only functions that a signal handler may call.
static void handle(int signal, siginfo_t *info, void *context) {
  if (text != NULL) {
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    written = write(STDERR_FILENO, "\n", 1);
    (void)written;
    text = NULL;
  }
  for (int index = 0; index < COUNT; index++) {
    if (signals[index] != signal) continue;
    sigaction(signal, &earlier[index], NULL);
    // After the return, most instructions trap again, and the earlier action ends the process. A signal that
    // was sent, and a breakpoint that the program has passed, do not occur again, so they are raised again.
    if (info->si_code <= 0 || signal == SIGTRAP || signal == SIGABRT) raise(signal);
  }
}

void causeway_name_traps(const char *name) {
  char *old = text;
  text = name == NULL ? NULL : strdup(name);
  free(old);
}

void causeway_catch_traps(void) {
  for (int index = 0; index < COUNT; index++) {
    struct sigaction action = {
      .sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigaction(signals[index], &action, &earlier[index]);
  }
}

#else

void causeway_name_traps(const char *name) {}
void causeway_catch_traps(void) {}

#endif
