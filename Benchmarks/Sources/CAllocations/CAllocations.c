#include "CAllocations.h"
#include <stdio.h>
#include <sys/resource.h>

long causeway_peak_resident_bytes(void) {
#ifdef __linux__
  // getrusage does not work here, because a child inherits its parent's peak.
  long kilobytes = 0;
  char line[256];
  FILE *status = fopen("/proc/self/status", "r");
  if (status == NULL) return 0;
  while (fgets(line, sizeof line, status) != NULL) {
    if (sscanf(line, "VmHWM: %ld", &kilobytes) == 1) break;
  }
  fclose(status);
  return kilobytes * 1024;
#else
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
#endif
}

#if defined(__linux__) && defined(__GLIBC__)
#include <malloc.h>
#include <stdatomic.h>

static atomic_long allocations;

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

// The linker prefers an executable's own definitions, so every allocation calls these functions.
void *malloc(size_t size) {
  atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
  return __libc_calloc(count, size);
}

void *realloc(void *pointer, size_t size) {
  atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
  return __libc_realloc(pointer, size);
}

int posix_memalign(void **pointer, size_t alignment, size_t size) {
  atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
  *pointer = __libc_memalign(alignment, size);
  return *pointer == 0 ? 12 : 0;
}

long causeway_allocation_count(void) {
  return atomic_load_explicit(&allocations, memory_order_relaxed);
}

long causeway_allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return (long)(info.uordblks + info.hblkhd);
}
#else
long causeway_allocation_count(void) { return 0; }
long causeway_allocated_bytes(void) { return 0; }
#endif
