#ifndef CAUSEWAY_EPOLL_H
#define CAUSEWAY_EPOLL_H

// Swift's module of the C library has neither epoll nor memmem.
#if defined(__linux__)

#include <stddef.h>
#include <sys/epoll.h>

// Watches a descriptor; causeway_epoll_wait() returns the number.
static inline int causeway_epoll_add(int polling, int descriptor, unsigned int number) {
  struct epoll_event event = {.events = EPOLLIN, .data = {.u32 = number}};
  return epoll_ctl(polling, EPOLL_CTL_ADD, descriptor, &event);
}

// Writes the numbers of at most 256 readable descriptors.
static inline int causeway_epoll_wait(int polling, unsigned int *numbers, int milliseconds) {
  struct epoll_event events[256];
  int count = epoll_wait(polling, events, 256, milliseconds);
  for (int index = 0; index < count; index++) numbers[index] = events[index].data.u32;
  return count;
}

// Whether the text contains the part.
int causeway_contains(const void *text, size_t length, const void *part, size_t part_length);

#endif
#endif
