// The functions of the toolchain's libIndexStore that the checker calls. The library is loaded when
// `causeway migrate` needs it, so these are types of function pointers.
#ifndef CAUSEWAY_C_INDEX_STORE_H
#define CAUSEWAY_C_INDEX_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char *_Nullable data;
  size_t length;
} CIndexString;

typedef void *CIndexHandle;
typedef bool (*CIndexVisitString)(void *_Nullable context, CIndexString text);
typedef bool (*CIndexVisitHandle)(void *_Nullable context, CIndexHandle _Nonnull handle);

typedef CIndexHandle _Nullable (*CIndexOpen)(
    const char *_Nonnull path, CIndexHandle _Nullable *_Nullable error);
typedef CIndexHandle _Nullable (*CIndexOpenNamed)(
    CIndexHandle _Nonnull store, const char *_Nonnull name,
    CIndexHandle _Nullable *_Nullable error);
typedef void (*CIndexDispose)(CIndexHandle _Nonnull handle);
typedef bool (*CIndexEachUnit)(
    CIndexHandle _Nonnull store, unsigned sorted, void *_Nullable context,
    CIndexVisitString _Nonnull visit);
typedef bool (*CIndexEach)(
    CIndexHandle _Nonnull owner, void *_Nullable context, CIndexVisitHandle _Nonnull visit);
typedef CIndexString (*CIndexText)(CIndexHandle _Nonnull handle);
typedef int (*CIndexKind)(CIndexHandle _Nonnull handle);
typedef uint64_t (*CIndexBits)(CIndexHandle _Nonnull handle);
typedef CIndexHandle _Nonnull (*CIndexPart)(CIndexHandle _Nonnull handle);
typedef bool (*CIndexFlag)(CIndexHandle _Nonnull handle);
typedef void (*CIndexPlace)(
    CIndexHandle _Nonnull handle, unsigned *_Nonnull line, unsigned *_Nonnull column);

typedef void (*CIndexTime)(
    CIndexHandle _Nonnull handle, int64_t *_Nonnull seconds, int64_t *_Nonnull nanoseconds);

#endif
