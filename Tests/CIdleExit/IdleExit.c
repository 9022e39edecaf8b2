// The tasks of an outbox or an engine end on other threads after their owner was released. At exit,
// some of these tasks may not have ended. An object can then have lost its last weak reference but
// still exist. Swift keeps the pointer to the side table of such an object in a form that the leak
// check does not read, so the check reports the table. So the program first waits for these tasks.
// Then the check reports only real leaks.

#if defined(__linux__) && __has_feature(address_sanitizer)

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int is_running(const char *thread) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", thread);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  size_t count = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[count] = 0;
  // The name of the thread is in brackets, and may contain brackets.
  const char *end = strrchr(text, ')');
  return end && strncmp(end, ") R", 3) == 0;
}

/// Whether another thread than the calling one is running.
static int is_busy(void) {
  DIR *threads = opendir("/proc/self/task");
  if (!threads) return 0;
  int busy = 0, own = (int)syscall(SYS_gettid);
  for (struct dirent *thread; !busy && (thread = readdir(threads));) {
    busy = atoi(thread->d_name) > 0 && atoi(thread->d_name) != own &&
           is_running(thread->d_name);
  }
  closedir(threads);
  return busy;
}

/// Returns when the program was idle ten times in a row, or after some seconds.
static void wait_until_idle(void) {
  struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
  for (int idle = 0, tries = 0; idle < 10 && tries < 500; tries++) {
    idle = is_busy() ? 0 : idle + 1;
    nanosleep(&pause, NULL);
  }
}

// The leak check was registered before the constructors, so it comes last.
__attribute__((constructor)) static void register_wait(void) { atexit(wait_until_idle); }

#endif
