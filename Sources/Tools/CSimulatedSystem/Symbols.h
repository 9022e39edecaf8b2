#ifndef CAUSEWAY_SYMBOLS_H
#define CAUSEWAY_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

// Called with the bytes of a library or of the program, and the offset of an address in it.
typedef void (*causeway_look)(const uint8_t *file, size_t size, uintptr_t offset, void *data);

// Calls a function with the file that an address is in, if it can be read. This needs Linux with glibc.
void causeway_with_file(const void *address, causeway_look look, void *data);

// Whether a range of bytes is within a file.
static inline int causeway_fits(uint64_t offset, uint64_t length, size_t size) {
  return offset <= size && length <= size - offset;
}

// Returns the address of a variable that other modules cannot see; NULL if it is not found.
//
// The variable must be in the same library or program as `neighbour`. This needs Linux with glibc.
void *causeway_variable(const void *neighbour, const char *name);

#endif
