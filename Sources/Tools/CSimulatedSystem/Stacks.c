#define _GNU_SOURCE
#include "CSimulatedSystem.h"

#include <string.h>

#if defined(__linux__) && defined(__GLIBC__)

#include <execinfo.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

// The memory that the signal handler fills.
//
// It is static, because the handler may run after the caller has stopped waiting.
static struct {
  void *addresses[64];
  int count;
  sem_t done;
} request;

static void handle(int signal) {
  request.count = backtrace(request.addresses, 64);
  sem_post(&request.done);
}

void causeway_show_stack(void) {
  // The threads of Dispatch block all signals.
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN + 5);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

int causeway_stack(pthread_t thread, void **addresses, int count) {
  void *first[1];
  // The first call loads a library, which a handler must not do.
  backtrace(first, 1);
  sem_init(&request.done, 0, 0);
  // The handler stays installed. Without it, a signal that arrives late would end the process.
  struct sigaction action = {.sa_handler = handle};
  int number = SIGRTMIN + 5;
  if (sigaction(number, &action, NULL) != 0 || pthread_kill(thread, number) != 0) return 0;
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 5;
  int code = sem_timedwait(&request.done, &limit);
  if (code != 0) return 0;
  int known = request.count < count ? request.count : count;
  memcpy(addresses, request.addresses, (size_t)known * sizeof *addresses);
  return known;
}

#else

void causeway_show_stack(void) {}
int causeway_stack(pthread_t thread, void **addresses, int count) { return 0; }

#endif

size_t causeway_thread_name(char *name, size_t size) {
#if defined(__APPLE__) || defined(__GLIBC__)
  if (pthread_getname_np(pthread_self(), name, size) == 0) return strnlen(name, size);
#endif
  return 0;
}
