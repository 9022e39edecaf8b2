#define _GNU_SOURCE
#include "CSimulatedSystem.h"
#include "Symbols.h"

#if defined(__linux__) && defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// An assertion of XCTest that fails calls `recordFailure` of the current test case. XCTest keeps this test
// case in a variable that no public function changes, and that is empty in a test of Swift Testing. While
// failures are collected, the variable has a test case of this file. The class of this test case is a copy of
// XCTest's class with another `recordFailure`. XCTest is looked up in the process, so this library does not
// link it.

#define RECORD \
  "$s6XCTest0A4CaseC13recordFailure15withDescription6inFile6atLine8expectedySS_SSSiSbtF"

// The fields of a class object, from the runtime's header `Metadata.h`.
typedef struct {
  uintptr_t kind;
  const void *superclass;
  uint32_t flags;
  uint32_t instance_address_point;
  uint32_t instance_size;
  uint16_t alignment_mask;
  uint16_t reserved;
  uint32_t size;
  uint32_t address_point;
} Class;

// A string of Swift has two words.
typedef void (*Record)(
  uintptr_t, uintptr_t, uintptr_t, uintptr_t, intptr_t, _Bool,
  __attribute__((swift_context)) void *) __attribute__((swiftcall));
typedef void *(*Accessor)(size_t) __attribute__((swiftcall));

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
// The number of calls of `causeway_collect_assertions` that were not ended.
static int count;
static _Atomic(causeway_assertion) collect;
// The variable of XCTest; NULL if it is not known.
static _Atomic(void *) *current;
static void *ours;
// The offset of `recordFailure` in a class, in bytes.
static size_t place;
// The test case that runs.
static _Atomic(void *) running;

__attribute__((swiftcall)) static void record(
  uintptr_t description, uintptr_t description_object, uintptr_t file, uintptr_t file_object,
  intptr_t line, _Bool is_expected, __attribute__((swift_context)) void *test) {
  uintptr_t texts[] = {description, description_object, file, file_object};
  causeway_assertion collect_one = atomic_load(&collect);
  if (collect_one != NULL && collect_one(texts, texts + 2, line)) return;
  void *original = atomic_load(&running);
  if (original == NULL) return;
  Record record_original = *(Record *)(*(char **)original + place);
  record_original(
    description, description_object, file, file_object, line, is_expected, original);
}

// Makes an object of a class that differs from a class of XCTest in one function.
static void *make(const Class *class, const void *function) {
  if (class->size < sizeof *class || class->size > 1 << 16 || class->address_point > class->size
      || class->instance_size < 16 || class->instance_size > 1 << 16)
    return NULL;
  size_t start = class->address_point, length = class->size - start;
  for (size_t offset = sizeof *class; offset + sizeof function <= length; offset += sizeof function) {
    if (*(const void *const *)((const char *)class + offset) != function) continue;
    void *(*allocate)(const void *, size_t, size_t) = dlsym(RTLD_DEFAULT, "swift_allocObject");
    char *copy = allocate == NULL ? NULL : malloc(class->size);
    if (copy == NULL) return NULL;
    memcpy(copy, (const char *)class - start, class->size);
    *(Record *)(copy + start + offset) = record;
    place = offset;
    // The object is never released. Nothing uses its properties.
    char *object = allocate(copy + start, class->instance_size, class->alignment_mask);
    memset(object + 16, 0, class->instance_size - 16);
    return object;
  }
  return NULL;
}

static void look_for_tests(void) {
  if (ours != NULL) return;
  const void *function = dlsym(RTLD_DEFAULT, RECORD);
  Accessor class = (Accessor)dlsym(RTLD_DEFAULT, "$s6XCTest0A4CaseCMa");
  if (function == NULL || class == NULL) return;
  _Atomic(void *) *variable = causeway_variable(function, "$s6XCTest18XCTCurrentTestCaseAA0aD0CSgvp");
  if (variable == NULL) return;
  ours = make(class(0), function);
  if (ours != NULL) current = variable;
}

void causeway_collect_assertions(causeway_assertion function) {
  pthread_mutex_lock(&mutex);
  count++;
  atomic_store(&collect, function);
  if (count == 1) look_for_tests();
  if (count == 1 && current != NULL) atomic_store(&running, atomic_exchange(current, ours));
  pthread_mutex_unlock(&mutex);
}

void causeway_collect_no_assertions(void) {
  pthread_mutex_lock(&mutex);
  count--;
  if (count == 0 && current != NULL) atomic_store(current, atomic_exchange(&running, NULL));
  pthread_mutex_unlock(&mutex);
}

#else

void causeway_collect_assertions(causeway_assertion function) {}
void causeway_collect_no_assertions(void) {}

#endif
