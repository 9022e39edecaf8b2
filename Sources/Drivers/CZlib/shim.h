#ifndef CAUSEWAY_CZLIB_SHIM_H
#define CAUSEWAY_CZLIB_SHIM_H

#include <zlib.h>

// inflateInit2 is a macro, which Swift does not import.
static inline int causeway_zlib_begin(z_stream *stream, int windowBits) {
  return inflateInit2(stream, windowBits);
}

// A gzip header and trailer around the compressed data.
static inline int causeway_zlib_begin_gzip(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
