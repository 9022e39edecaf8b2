#define _GNU_SOURCE
#include "CSimulatedSystem.h"

#include <string.h>

#if defined(__linux__) && defined(__GLIBC__)

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// Finds the function at an offset within a mapped file. The table of a program also has the
// functions that other modules cannot see, unlike the table that `dladdr` reads.
static size_t find(
  const uint8_t *file, size_t size, uintptr_t offset, char *name, size_t capacity) {
  const ElfW(Ehdr) *header = (const void *)file;
  if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return 0;
  if (header->e_shoff + (size_t)header->e_shnum * sizeof(ElfW(Shdr)) > size) return 0;
  const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff);
  for (int index = 0; index < header->e_shnum; index++) {
    const ElfW(Shdr) *table = &sections[index];
    if (table->sh_type != SHT_SYMTAB || table->sh_link >= header->e_shnum) continue;
    const ElfW(Shdr) *names = &sections[table->sh_link];
    if (table->sh_offset + table->sh_size > size || names->sh_offset + names->sh_size > size)
      return 0;
    const ElfW(Sym) *symbols = (const void *)(file + table->sh_offset);
    for (size_t number = 0; number < table->sh_size / sizeof *symbols; number++) {
      const ElfW(Sym) *symbol = &symbols[number];
      if ((symbol->st_info & 15) != STT_FUNC || symbol->st_name >= names->sh_size) continue;
      if (offset < symbol->st_value || offset >= symbol->st_value + symbol->st_size) continue;
      return (size_t)snprintf(
        name, capacity, "%s", (const char *)(file + names->sh_offset + symbol->st_name));
    }
  }
  return 0;
}

size_t causeway_symbol(const void *address, char *name, size_t capacity) {
  Dl_info info;
  struct link_map *map = NULL;
  if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || map == NULL) return 0;
  // The map of the program itself has no name.
  const char *path = map->l_name && map->l_name[0] ? map->l_name : "/proc/self/exe";
  size_t length = 0;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_size > 0) {
    size_t size = (size_t)status.st_size;
    void *file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (file != MAP_FAILED) {
      length = find(file, size, (uintptr_t)address - map->l_addr, name, capacity);
      munmap(file, size);
    }
  }
  if (descriptor >= 0) close(descriptor);
  if (length == 0 && info.dli_sname != NULL)
    length = (size_t)snprintf(name, capacity, "%s", info.dli_sname);
  return length < capacity ? length : 0;
}

// What the handler of the signal fills.
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
  // The handler stays. Without it, a signal that arrives late would end the process.
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

size_t causeway_symbol(const void *address, char *name, size_t size) { return 0; }
void causeway_show_stack(void) {}
int causeway_stack(pthread_t thread, void **addresses, int count) { return 0; }

#endif

size_t causeway_thread_name(char *name, size_t size) {
#if defined(__APPLE__) || defined(__GLIBC__)
  if (pthread_getname_np(pthread_self(), name, size) == 0) return strnlen(name, size);
#endif
  return 0;
}
