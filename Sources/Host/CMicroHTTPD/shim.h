#ifndef CAUSEWAY_MICROHTTPD_SHIM_H
#define CAUSEWAY_MICROHTTPD_SHIM_H

#include <microhttpd.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

// Swift cannot call variadic C functions, so each variadic call that the host needs has a
// fixed-argument wrapper here. Swift also does not import malloc.h, so malloc_trim has a wrapper
// here too.

typedef size_t (*causeway_unescape)(void *context, struct MHD_Connection *connection, char *text);
typedef void *(*causeway_address)(void *context, const char *address,
                                  struct MHD_Connection *connection);

// MHD_OPTION_CLIENT_DISCIPLINE_LVL, which the headers of older versions lack.
#define CAUSEWAY_OPTION_CLIENT_DISCIPLINE_LVL ((enum MHD_OPTION)38)

// Whether the library itself refuses a request head that can be read in two ways. Version 1.0 and later do
// so. A program that was built with an older version can run with a newer one.
static inline _Bool causeway_library_is_strict(void) {
  return MHD_get_version()[0] != '0';
}

// One polling thread serves every connection. Suspending needs an inter-thread channel, which
// MHD_ALLOW_SUSPEND_RESUME switches on.
static inline struct MHD_Daemon *causeway_start_daemon(
    int listening_socket, size_t connection_memory, unsigned int connection_limit,
    unsigned int timeout_seconds, void *context, MHD_AccessHandlerCallback access,
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback connected,
    causeway_unescape unescape, causeway_address address) {
#if defined(__linux__)
  unsigned int polling = MHD_USE_EPOLL_INTERNAL_THREAD;
#else
  unsigned int polling = MHD_USE_AUTO_INTERNAL_THREAD;
#endif
  return MHD_start_daemon(
      polling | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, access, context,
      MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listening_socket,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory,
      MHD_OPTION_CONNECTION_LIMIT, connection_limit,
      MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_NOTIFY_CONNECTION, connected, context,
      MHD_OPTION_UNESCAPE_CALLBACK, unescape, context,
      MHD_OPTION_URI_LOG_CALLBACK, address, context,
      // An older library would refuse some requests only at level 1. The server refuses these
      // requests itself, because the library's own error pages lack the server's header fields.
      causeway_library_is_strict() ? CAUSEWAY_OPTION_CLIENT_DISCIPLINE_LVL
                                   : MHD_OPTION_STRICT_FOR_CLIENT,
      causeway_library_is_strict() ? 1 : -1,
      MHD_OPTION_END);
}

static inline int causeway_connection_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? (int)info->connect_fd : -1;
}

// The bytes of a request's head, with the empty line at its end.
static inline size_t causeway_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

static inline const struct sockaddr *causeway_client_address(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

// Returns freed memory to the system. C libraries other than glibc do this on their own.
static inline void causeway_release_free_memory(void) {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

#endif
