#define _GNU_SOURCE
#include "CSimulatedSystem.h"
#include "Symbols.h"

#if defined(__linux__) && defined(__GLIBC__)

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Returns whether a symbol is the wanted one.
typedef int (*Choose)(const ElfW(Sym) *symbol, const char *name, void *data);

// Finds a symbol in a mapped file. The table of a program also has the symbols that other modules
// cannot see, unlike the table that `dlsym` and `dladdr` read.
static void find(const uint8_t *file, size_t size, Choose choose, void *data) {
  const ElfW(Ehdr) *header = (const void *)file;
  if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
  if (!causeway_fits(header->e_shoff, header->e_shnum * sizeof(ElfW(Shdr)), size)) return;
  const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff);
  for (int index = 0; index < header->e_shnum; index++) {
    const ElfW(Shdr) *table = &sections[index];
    if (table->sh_type != SHT_SYMTAB || table->sh_link >= header->e_shnum) continue;
    const ElfW(Shdr) *names = &sections[table->sh_link];
    if (!causeway_fits(table->sh_offset, table->sh_size, size)
        || !causeway_fits(names->sh_offset, names->sh_size, size))
      return;
    const ElfW(Sym) *symbols = (const void *)(file + table->sh_offset);
    for (size_t number = 0; number < table->sh_size / sizeof *symbols; number++) {
      const ElfW(Sym) *symbol = &symbols[number];
      if (symbol->st_name >= names->sh_size) continue;
      if (choose(symbol, (const char *)(file + names->sh_offset + symbol->st_name), data)) return;
    }
  }
}

void causeway_with_file(const void *address, causeway_look look, void *data) {
  Dl_info info;
  struct link_map *map = NULL;
  if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || map == NULL) return;
  // The map of the program itself has no name.
  const char *path = map->l_name && map->l_name[0] ? map->l_name : "/proc/self/exe";
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_size > 0) {
    size_t size = (size_t)status.st_size;
    void *file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (file != MAP_FAILED) {
      look(file, size, (uintptr_t)address - map->l_addr, data);
      munmap(file, size);
    }
  }
  if (descriptor >= 0) close(descriptor);
}

// The name of the function at an offset.

typedef struct {
  uintptr_t offset;
  char *name;
  size_t capacity;
  size_t length;
} NameSearch;

static int is_at_offset(const ElfW(Sym) *symbol, const char *name, void *data) {
  NameSearch *search = data;
  if ((symbol->st_info & 15) != STT_FUNC || search->offset < symbol->st_value
      || search->offset >= symbol->st_value + symbol->st_size)
    return 0;
  search->length = (size_t)snprintf(search->name, search->capacity, "%s", name);
  return 1;
}

static void find_name(const uint8_t *file, size_t size, uintptr_t offset, void *data) {
  ((NameSearch *)data)->offset = offset;
  find(file, size, is_at_offset, data);
}

size_t causeway_symbol(const void *address, char *name, size_t capacity) {
  NameSearch search = {0, name, capacity, 0};
  causeway_with_file(address, find_name, &search);
  Dl_info info;
  if (search.length == 0 && dladdr(address, &info) && info.dli_sname != NULL)
    search.length = (size_t)snprintf(name, capacity, "%s", info.dli_sname);
  return search.length < capacity ? search.length : 0;
}

// The address of a variable with a name.

typedef struct {
  const char *name;
  const void *neighbour;
  void *address;
} VariableSearch;

typedef struct {
  const char *name;
  uintptr_t offset;
} OffsetSearch;

static int has_name(const ElfW(Sym) *symbol, const char *name, void *data) {
  OffsetSearch *search = data;
  if ((symbol->st_info & 15) != STT_OBJECT || strcmp(name, search->name) != 0) return 0;
  search->offset = symbol->st_value;
  return 1;
}

static void find_variable(const uint8_t *file, size_t size, uintptr_t offset, void *data) {
  VariableSearch *search = data;
  OffsetSearch found = {search->name, 0};
  find(file, size, has_name, &found);
  if (found.offset != 0)
    search->address = (void *)((uintptr_t)search->neighbour - offset + found.offset);
}

void *causeway_variable(const void *neighbour, const char *name) {
  VariableSearch search = {name, neighbour, NULL};
  causeway_with_file(neighbour, find_variable, &search);
  return search.address;
}

#else

size_t causeway_symbol(const void *address, char *name, size_t size) { return 0; }

#endif
