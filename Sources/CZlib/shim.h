#ifndef CAUSEWAY_CZLIB_SHIM_H
#define CAUSEWAY_CZLIB_SHIM_H

#include <zlib.h>

// inflateInit2 is a macro, which Swift does not import.
static inline int causeway_zlib_begin(z_stream *stream, int windowBits) {
  return inflateInit2(stream, windowBits);
}

#endif
