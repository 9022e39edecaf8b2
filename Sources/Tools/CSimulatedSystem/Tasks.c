#define _GNU_SOURCE
#include "CSimulatedSystem.h"

#if defined(__linux__) && defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>

// The layout of the runtime's records, from its header `TaskOptions.h`.

typedef struct Option {
  size_t flags;
  struct Option *next;
} Option;

typedef struct {
  Option option;
  uintptr_t identity;
  uintptr_t implementation;
} ExecutorOption;

typedef struct {
  Option option;
  const char *name;
} NameOption;

enum { KIND_EXECUTOR = 5, KIND_OWNED_EXECUTOR = 6, KIND_NAME = 7, KIND_INLINE = 255 };

typedef struct {
  void *task;
  void *context;
} CreatedTask;

typedef CreatedTask (*Create)(size_t, Option *, const void *, void *, void *)
  __attribute__((swiftcall));

static __thread struct {
  uintptr_t identity;
  uintptr_t implementation;
} preferred;

void causeway_prefer_executor(uintptr_t identity, uintptr_t implementation) {
  preferred.identity = identity;
  preferred.implementation = implementation;
}

// Returns whether a record names an executor. A record without one is stored in `empty`.
static int has_executor(Option *option, ExecutorOption **empty) {
  for (; option != NULL; option = option->next) {
    size_t kind = option->flags & 255;
    if (kind == KIND_INLINE) return 1;
    if (kind != KIND_EXECUTOR && kind != KIND_OWNED_EXECUTOR) continue;
    if (((ExecutorOption *)option)->identity != 0) return 1;
    *empty = (ExecutorOption *)option;
  }
  return 0;
}

static __thread const char *new_name;

const char *causeway_new_task_name(void) { return new_name; }

static CreatedTask create(
  Create original, size_t flags, Option *options, const void *type, void *function, void *context) {
  const char *outer = new_name;
  new_name = NULL;
  for (Option *option = options; option != NULL; option = option->next)
    if ((option->flags & 255) == KIND_NAME) new_name = ((NameOption *)option)->name;
  CreatedTask task = original(flags, options, type, function, context);
  new_name = outer;
  return task;
}

// If the program contains the runtime itself, the definition of the runtime is used.
__attribute__((weak, swiftcall)) CreatedTask swift_task_create(
  size_t flags, Option *options, const void *type, void *function, void *context) {
  static _Atomic(void *) known;
  void *original = atomic_load_explicit(&known, memory_order_acquire);
  if (original == NULL) {
    original = dlsym(RTLD_NEXT, "swift_task_create");
    if (original == NULL) abort();
    atomic_store_explicit(&known, original, memory_order_release);
  }
  ExecutorOption *empty = NULL;
  if (preferred.identity == 0 || has_executor(options, &empty))
    return create(original, flags, options, type, function, context);
  ExecutorOption executor = {
    {KIND_EXECUTOR, options}, preferred.identity, preferred.implementation};
  // A later record without an executor would override an earlier record.
  ExecutorOption kept;
  if (empty != NULL) {
    kept = *empty;
    executor.option.next = empty->option.next;
    *empty = executor;
  }
  CreatedTask task =
    create(original, flags, empty != NULL ? options : &executor.option, type, function, context);
  if (empty != NULL) *empty = kept;
  return task;
}

// A task that waits before it continues on an actor.
typedef struct Hop Hop;

#define ASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context))

typedef ASYNC void (*Continuation)(CONTEXT void *);
typedef ASYNC void (*Switch)(CONTEXT void *, Continuation, uintptr_t, uintptr_t);

typedef struct {
  uintptr_t identity;
  uintptr_t implementation;
} Executor;

typedef __attribute__((swiftcall)) Executor (*CurrentExecutor)(void);

struct Hop {
  Hop *next;
  void *context;
  Continuation function;
  Executor executor;
};

static __thread Executor waiting;
static __thread int worked;
static __thread Hop *hops;

void causeway_wait_before_hops(uintptr_t identity, uintptr_t implementation) {
  waiting = (Executor){identity, implementation};
  worked = 0;
  // The tasks of a trial that has ended never continue.
  while (hops != NULL) {
    Hop *next = hops->next;
    free(hops);
    hops = next;
  }
}

void causeway_note_work(int has_worked) { worked = has_worked; }

uintptr_t causeway_function_after_hop(const void *context) {
  for (Hop *hop = hops; hop != NULL; hop = hop->next)
    if (hop->context == context) return (uintptr_t)hop->function;
  return 0;
}

static void *find(const char *name, _Atomic(void *) *known) {
  void *function = atomic_load_explicit(known, memory_order_acquire);
  if (function == NULL) {
    function = dlsym(RTLD_NEXT, name);
    if (function == NULL) abort();
    atomic_store_explicit(known, function, memory_order_release);
  }
  return function;
}

static Switch original_switch(void) {
  static _Atomic(void *) known;
  return (Switch)find("swift_task_switch", &known);
}

static Executor current_executor(void) {
  static _Atomic(void *) known;
  return ((CurrentExecutor)find("swift_task_getCurrentExecutor", &known))();
}

static Hop take_hop(void *context) {
  Hop **place = &hops;
  while (*place != NULL && (*place)->context != context) place = &(*place)->next;
  Hop *hop = *place;
  if (hop == NULL) abort();
  Hop copy = *hop;
  *place = hop->next;
  free(hop);
  return copy;
}

static ASYNC void go_on(CONTEXT void *context) {
  Hop hop = take_hop(context);
  return original_switch()(
    context, hop.function, hop.executor.identity, hop.executor.implementation);
}

// Whether a task must wait before a hop. A task that stays on its actor never waits.
static int waits(uintptr_t identity) {
  return waiting.identity != 0 && worked && identity != 0 &&
    current_executor().identity != identity;
}

static void add_hop(void *context, Continuation function, Executor executor) {
  Hop *hop = malloc(sizeof *hop);
  if (hop == NULL) abort();
  *hop = (Hop){hops, context, function, executor};
  hops = hop;
  worked = 0;
}

__attribute__((weak)) ASYNC void swift_task_switch(
  CONTEXT void *context, Continuation function, uintptr_t identity, uintptr_t implementation) {
  if (!waits(identity)) return original_switch()(context, function, identity, implementation);
  add_hop(context, function, (Executor){identity, implementation});
  return original_switch()(context, go_on, waiting.identity, waiting.implementation);
}

#else

void causeway_wait_before_hops(uintptr_t identity, uintptr_t implementation) {}
void causeway_note_work(int has_worked) {}
uintptr_t causeway_function_after_hop(const void *context) { return 0; }
const char *causeway_new_task_name(void) { return NULL; }

void causeway_prefer_executor(uintptr_t identity, uintptr_t implementation) {}

#endif
