#define _GNU_SOURCE
#include "CEpoll.h"

#if defined(__linux__)
#include <string.h>

int causeway_contains(const void *text, size_t length, const void *part, size_t part_length) {
  return memmem(text, length, part, part_length) != NULL;
}
#endif
