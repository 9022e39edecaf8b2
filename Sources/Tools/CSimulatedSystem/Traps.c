#define _GNU_SOURCE
#include "CSimulatedSystem.h"

#if defined(__linux__) && defined(__GLIBC__)

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static __thread char text[256];

static const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
enum { COUNT = sizeof signals / sizeof *signals };
static struct sigaction earlier[COUNT];

// Only functions that a handler may call.
static void handle(int signal) {
  if (text[0] != 0) {
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
    text[0] = 0;
  }
  for (int index = 0; index < COUNT; index++) {
    if (signals[index] != signal) continue;
    sigaction(signal, &earlier[index], NULL);
    // The instruction traps again, and an abort is repeated: then the earlier action ends the process.
    if (signal == SIGABRT) raise(signal);
  }
}

void causeway_name_traps(const char *name) {
  if (name == NULL) {
    text[0] = 0;
  } else {
    snprintf(text, sizeof text, "%s\n", name);
  }
}

void causeway_catch_traps(void) {
  for (int index = 0; index < COUNT; index++) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigaction(signals[index], &action, &earlier[index]);
  }
}

#else

void causeway_name_traps(const char *name) {}
void causeway_catch_traps(void) {}

#endif
