#define _GNU_SOURCE
#include "CSimulatedSystem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

uint64_t causeway_hash(uint64_t hash, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  hash = (hash ^ count) * 0x100000001b3;
  for (; count >= 8; count -= 8, next += 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  }
  for (; count > 0; count--, next++) hash = (hash ^ *next) * 0x100000001b3;
  return hash;
}

// Whether the library replaces functions of the system. Sanitizers replace the same functions.

#ifndef __has_feature
#define __has_feature(name) 0
#endif

#if defined(__linux__) && defined(__GLIBC__) && !__has_feature(thread_sanitizer) \
  && !__has_feature(address_sanitizer)
#define CAUSEWAY_REPLACES 1
#else
#define CAUSEWAY_REPLACES 0
#endif

#if CAUSEWAY_REPLACES

#include <dlfcn.h>
#include <stdarg.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static __thread struct {
  causeway_clock clock;
  causeway_random random;
  causeway_real_value real_value;
  causeway_thread_begin begin;
  causeway_thread_end end;
} simulated;

static __thread void *thread_value;

void causeway_simulate(
  causeway_clock clock, causeway_random random, causeway_real_value real_value,
  causeway_thread_begin begin, causeway_thread_end end) {
  simulated.clock = clock;
  simulated.random = random;
  simulated.real_value = real_value;
  simulated.begin = begin;
  simulated.end = end;
}

void causeway_simulate_nothing(void) {
  memset(&simulated, 0, sizeof simulated);
  causeway_prefer_executor(0, 0);
}

int causeway_can_simulate(void) {
  // Another library may define the functions too, and be loaded first.
  Dl_info ours, used;
  return dladdr((void *)causeway_hash, &ours) && dladdr(dlsym(RTLD_DEFAULT, "clock_gettime"), &used)
    && ours.dli_fbase == used.dli_fbase;
}

void *causeway_thread_value(void) { return thread_value; }

// Returns the next definition of a function, which is the definition of the system.
static void *original_function(_Atomic(void *) *known, const char *name) {
  void *function = atomic_load_explicit(known, memory_order_acquire);
  if (function == NULL) {
    function = dlsym(RTLD_NEXT, name);
    if (function == NULL) abort();
    atomic_store_explicit(known, function, memory_order_release);
  }
  return function;
}

#define ORIGINAL(name) \
  static _Atomic(void *) known; \
  __typeof__(&name) original = (__typeof__(&name))original_function(&known, #name)

int clock_gettime(clockid_t clock, struct timespec *result) {
  int is_wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
  int is_monotonic = clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW
    || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME;
  if (simulated.clock != NULL && (is_wall || is_monotonic)) {
    int64_t now = simulated.clock(is_wall);
    result->tv_sec = now / 1000000000;
    result->tv_nsec = now % 1000000000;
    return 0;
  }
  if (simulated.real_value != NULL && clock != CLOCK_REALTIME && !is_monotonic && !is_wall)
    simulated.real_value("clock_gettime", __builtin_return_address(0));
  ORIGINAL(clock_gettime);
  return original(clock, result);
}

int gettimeofday(struct timeval *result, void *zone) {
  if (simulated.clock != NULL) {
    int64_t now = simulated.clock(1);
    result->tv_sec = now / 1000000000;
    result->tv_usec = now % 1000000000 / 1000;
    return 0;
  }
  ORIGINAL(gettimeofday);
  return original(result, zone);
}

int timespec_get(struct timespec *result, int base) {
  if (simulated.clock != NULL && base == TIME_UTC)
    return clock_gettime(CLOCK_REALTIME, result) == 0 ? base : 0;
  ORIGINAL(timespec_get);
  return original(result, base);
}

time_t time(time_t *result) {
  if (simulated.clock != NULL) {
    time_t now = simulated.clock(1) / 1000000000;
    if (result != NULL) *result = now;
    return now;
  }
  ORIGINAL(time);
  return original(result);
}

// The standard library gets its random numbers with this function.
long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
  long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  if (number == SYS_getrandom && simulated.random != NULL && a != 0) {
    simulated.random((uint8_t *)a, (size_t)b);
    return b;
  }
  ORIGINAL(syscall);
  return original(number, a, b, c, d, e, f);
}

ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
  if (simulated.random != NULL && bytes != NULL) {
    simulated.random(bytes, count);
    return (ssize_t)count;
  }
  ORIGINAL(getrandom);
  return original(bytes, count, flags);
}

int getentropy(void *bytes, size_t count) {
  if (simulated.random != NULL && count <= 256) {
    simulated.random(bytes, count);
    return 0;
  }
  ORIGINAL(getentropy);
  return original(bytes, count);
}

#if __GLIBC_PREREQ(2, 36)

// Libraries such as libcrypt get random numbers with these functions.

void arc4random_buf(void *bytes, size_t count) {
  if (simulated.random != NULL) {
    simulated.random(bytes, count);
    return;
  }
  ORIGINAL(arc4random_buf);
  original(bytes, count);
}

uint32_t arc4random(void) {
  uint32_t number = 0;
  arc4random_buf(&number, sizeof number);
  return number;
}

uint32_t arc4random_uniform(uint32_t bound) {
  if (simulated.random == NULL) {
    ORIGINAL(arc4random_uniform);
    return original(bound);
  }
  if (bound < 2) return 0;
  // Numbers below this one would make small results more probable.
  uint32_t least = -bound % bound, number = 0;
  do number = arc4random();
  while (number < least);
  return number % bound;
}

#endif

// No simulation replaces these functions. They return numbers that depend on earlier calls in the process,
// the time of the processor, or the names of files with random characters.
#define REAL(type, name, parameters, arguments) \
  type name parameters { \
    if (simulated.real_value != NULL) simulated.real_value(#name, __builtin_return_address(0)); \
    ORIGINAL(name); \
    return original arguments; \
  }

REAL(int, rand, (void), ())
REAL(long, random, (void), ())
REAL(double, drand48, (void), ())
REAL(long, lrand48, (void), ())
REAL(long, mrand48, (void), ())
REAL(clock_t, clock, (void), ())
REAL(clock_t, times, (struct tms *result), (result))
REAL(int, mkstemp, (char *pattern), (pattern))
REAL(int, mkostemp, (char *pattern, int flags), (pattern, flags))
REAL(char *, mkdtemp, (char *pattern), (pattern))
REAL(int, getrusage, (__rusage_who_t who, struct rusage *result), (who, result))

// Foundation makes the bytes of `UUID()` with this function. In a program with its own copy of
// Foundation, the copy is used.
__attribute__((weak)) void _foundation_uuid_generate_random(uint8_t *bytes) {
  if (simulated.random == NULL) {
    ORIGINAL(_foundation_uuid_generate_random);
    original(bytes);
    return;
  }
  simulated.random(bytes, 16);
  // The version and the variant (RFC 9562, 5.4).
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
}

typedef struct {
  void *(*start)(void *);
  void *argument;
  void *value;
  causeway_thread_end end;
} Beginning;

static void end_thread(void *pointer) {
  Beginning *beginning = pointer;
  beginning->end(beginning->value);
  free(beginning);
}

static void *run_thread(void *pointer) {
  Beginning *beginning = pointer;
  thread_value = beginning->value;
  void *result = NULL;
  // A thread can also end in the middle of its function.
  pthread_cleanup_push(end_thread, beginning);
  result = beginning->start(beginning->argument);
  pthread_cleanup_pop(1);
  return result;
}

// Dispatch begins a worker on the first thread that needs one. The worker then runs the work of all threads.
static int is_worker(void *(*start)(void *)) {
  Dl_info info;
  char name[64];
  if (dladdr((void *)start, &info) && info.dli_fname && strstr(info.dli_fname, "libdispatch"))
    return 1;
  return causeway_symbol((void *)start, name, sizeof name) && strncmp(name, "_dispatch", 9) == 0;
}

int pthread_create(
  pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  ORIGINAL(pthread_create);
  if (simulated.begin == NULL || is_worker(start))
    return original(thread, attributes, start, argument);
  Beginning *beginning = malloc(sizeof *beginning);
  if (beginning == NULL) return original(thread, attributes, start, argument);
  *beginning = (Beginning){start, argument, simulated.begin(), simulated.end};
  int code = original(thread, attributes, run_thread, beginning);
  if (code != 0) end_thread(beginning);
  return code;
}

#else

void causeway_simulate(
  causeway_clock clock, causeway_random random, causeway_real_value real_value,
  causeway_thread_begin begin, causeway_thread_end end) {}
void causeway_simulate_nothing(void) { causeway_prefer_executor(0, 0); }
int causeway_can_simulate(void) { return 0; }
void *causeway_thread_value(void) { return NULL; }

#endif
