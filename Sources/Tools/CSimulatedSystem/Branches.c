#include "CSimulatedSystem.h"

#if defined(__linux__)

// The compiler's runtime defines these if a program was built with `--enable-code-coverage`.
__attribute__((weak)) extern char *__llvm_profile_begin_counters(void);
__attribute__((weak)) extern char *__llvm_profile_end_counters(void);

const uint64_t *causeway_branch_counters(ptrdiff_t *count) {
  if (__llvm_profile_begin_counters == NULL || __llvm_profile_end_counters == NULL) return NULL;
  char *begin = __llvm_profile_begin_counters();
  *count = (__llvm_profile_end_counters() - begin) / (ptrdiff_t)sizeof(uint64_t);
  return (const uint64_t *)begin;
}

#else

// Apple's linker has no weak references to symbols that no library defines.
const uint64_t *causeway_branch_counters(ptrdiff_t *count) {
  *count = 0;
  return NULL;
}

#endif
