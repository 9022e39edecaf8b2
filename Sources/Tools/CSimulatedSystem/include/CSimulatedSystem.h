#ifndef CAUSEWAY_CSIMULATEDSYSTEM_H
#define CAUSEWAY_CSIMULATEDSYSTEM_H

// Replaces functions of the system on the threads that run simulations, and reads stacks.
//
// The functions are replaced on Linux with glibc, in programs without a sanitizer. A program that links this
// library uses the library's definitions of `clock_gettime`, `timespec_get`, `gettimeofday`, `time`,
// `syscall`, `getrandom`, `getentropy`, `arc4random`, `pthread_create` and of Foundation's source of UUIDs.
// It also uses the library's definitions of functions such as `rand` and `mkstemp`; these only note that they
// were called. On all other threads, the definitions call the original functions.
//
// With and without a sanitizer, the program uses the library's definitions of `swift_task_create` and
// `swift_task_switch`. The runtime calls them for each task and each hop of the program.

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

// Returns a time in nanoseconds: the time since 1970 if `is_wall` is not 0, or else the time since some
// moment before the simulation.
typedef int64_t (*causeway_clock)(int is_wall);
// Fills memory with random bytes.
typedef void (*causeway_random)(uint8_t *bytes, size_t count);
// Called with a function and its caller when code calls a function whose values are not simulated.
typedef void (*causeway_real_value)(const char *function, const void *caller);
// Called before the current thread begins another one; returns a value for the new thread.
typedef void *(*causeway_thread_begin)(void);
// Called at the end of the new thread with its value.
typedef void (*causeway_thread_end)(void *value);

// Replaces the functions on the current thread.
void causeway_simulate(
  causeway_clock clock, causeway_random random, causeway_real_value real_value,
  causeway_thread_begin begin, causeway_thread_end end);

// Gives a preferred executor to each Swift task that the current thread makes, unless the task has one.
//
// The parameters are the two words of an `UnownedTaskExecutor`. This needs Linux and a runtime that is a
// shared library.
void causeway_prefer_executor(uintptr_t identity, uintptr_t implementation);

// Makes a task of the current thread wait on an executor before it hops to an actor, if the task has given
// work to other tasks. The other tasks can then arrive at the actor first.
//
// The parameters are the two words of an `UnownedSerialExecutor`; 0 ends the effect. This needs Linux and a
// runtime that is a shared library.
void causeway_wait_before_hops(uintptr_t identity, uintptr_t implementation);

// Notes whether the current step has given work to other tasks.
void causeway_note_work(int has_worked);

// Returns the function that a waiting task calls next, from the context of the task; 0 if the task does not
// wait before a hop.
uintptr_t causeway_function_after_hop(const void *context);

// Returns the name of the task that the current thread makes now; NULL without a name.
const char *causeway_new_task_name(void);

// Ends the replacement on the current thread.
void causeway_simulate_nothing(void);

// Returns 1 if this program can replace the functions.
int causeway_can_simulate(void);

// Returns the value of the current thread if a simulation has begun it, and NULL otherwise.
void *causeway_thread_value(void);

// Returns a hash of bytes that continues another hash.
uint64_t causeway_hash(uint64_t hash, const void *bytes, size_t count);

// Stores the name of the function at an address, as the compiler mangled it.
//
// Returns the length of the name; 0 if the name is unknown.
size_t causeway_symbol(const void *address, char *name, size_t size);

// Stores the name of the source file of the code at an address, without its folders, and returns its line.
//
// Returns 0 if the program has no debug information for it.
unsigned causeway_line(const void *address, char *file, size_t size);

// Does the same as `causeway_line` for an offset in the bytes of a program.
unsigned causeway_line_in(
  const uint8_t *program, size_t length, uintptr_t offset, char *file, size_t size);

// Sets the text that is printed before a signal of the current thread ends the process; NULL for no text.
void causeway_name_traps(const char *text);

// Installs the signal handlers that print these texts; call it once.
void causeway_catch_traps(void);

// Stores the name of the current thread, and returns its length; 0 if it has none.
size_t causeway_thread_name(char *name, size_t size);

// Called for a failed assertion of XCTest with two pointers to a `String`, its text and its file, and with
// its line. Returns 0 if the assertion fails the running test.
typedef int (*causeway_assertion)(const void *text, const void *file, intptr_t line);

// Passes the failed assertions of XCTest on all threads to a function. All calls must pass the same function.
//
// It has no effect in a process without XCTest. This needs Linux.
void causeway_collect_assertions(causeway_assertion function);

// Ends the effect of a call of `causeway_collect_assertions`.
void causeway_collect_no_assertions(void);

// Lets other threads read the stack of the current thread.
void causeway_show_stack(void);

// Stores the return addresses of a thread of this process, the newest first.
//
// Returns their number; 0 if the thread has not shown its stack. Only one thread may call this function at a
// time.
int causeway_stack(pthread_t thread, void **addresses, int count);

// Stores the number of the compiler's counters of the branches of this program, and returns the first
// one; NULL if the program was built without counters.
const uint64_t *causeway_branch_counters(ptrdiff_t *count);

#endif
