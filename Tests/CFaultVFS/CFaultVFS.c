#include "CFaultVFS.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define LAYERS 64

typedef struct {
  sqlite3_vfs vfs;
  sqlite3_vfs *real;
  char name[64];
  atomic_int used;
  atomic_int calls;
  atomic_long nth;
  atomic_int code;
  atomic_int lasts;
  atomic_int torn;
  atomic_long count;
  atomic_long failures;
} Layer;

// The real file's structure follows.
typedef struct {
  sqlite3_file base;
  Layer *layer;
} File;

static Layer layers[LAYERS];

static sqlite3_file *real(sqlite3_file *file) {
  return (sqlite3_file *)((File *)file + 1);
}

// The code with which this call must fail, or 0.
static int fault(Layer *layer, int call) {
  if ((atomic_load(&layer->calls) & call) == 0) return SQLITE_OK;
  long count = atomic_fetch_add(&layer->count, 1) + 1;
  long nth = atomic_load(&layer->nth);
  if (nth == 0 || count < nth || (count > nth && !atomic_load(&layer->lasts))) return SQLITE_OK;
  atomic_fetch_add(&layer->failures, 1);
  return atomic_load(&layer->code);
}

static int file_fault(sqlite3_file *file, int call) {
  return fault(((File *)file)->layer, call);
}

static int file_close(sqlite3_file *file) {
  return real(file)->pMethods->xClose(real(file));
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  int code = file_fault(file, CAUSEWAY_FAULT_READ);
  return code ? code : real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  int code = file_fault(file, CAUSEWAY_FAULT_WRITE);
  if (code == SQLITE_OK) return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
  if (atomic_load(&((File *)file)->layer->torn)) {
    real(file)->pMethods->xWrite(real(file), bytes, count / 2, offset);
  }
  return code;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int code = file_fault(file, CAUSEWAY_FAULT_TRUNCATE);
  return code ? code : real(file)->pMethods->xTruncate(real(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
  int is_full = (flags & SQLITE_SYNC_FULL) == SQLITE_SYNC_FULL;
  int code = file_fault(file, CAUSEWAY_FAULT_SYNC | (is_full ? CAUSEWAY_FAULT_FULL_SYNC : 0));
  return code ? code : real(file)->pMethods->xSync(real(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  int code = file_fault(file, CAUSEWAY_FAULT_SIZE);
  return code ? code : real(file)->pMethods->xFileSize(real(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xLock(real(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}

static int file_check_reserved_lock(sqlite3_file *file, int *result) {
  return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file) {
  return real(file)->pMethods->xSectorSize(real(file));
}

static int file_characteristics(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int file_share(sqlite3_file *file, int page, int size, int extends, void volatile **memory) {
  int code = file_fault(file, CAUSEWAY_FAULT_SHARE);
  return code ? code : real(file)->pMethods->xShmMap(real(file), page, size, extends, memory);
}

static int file_share_lock(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void file_share_barrier(sqlite3_file *file) {
  real(file)->pMethods->xShmBarrier(real(file));
}

static int file_unshare(sqlite3_file *file, int deletes) {
  return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

static const sqlite3_io_methods methods = {
  .iVersion = 2,
  .xClose = file_close,
  .xRead = file_read,
  .xWrite = file_write,
  .xTruncate = file_truncate,
  .xSync = file_sync,
  .xFileSize = file_size,
  .xLock = file_lock,
  .xUnlock = file_unlock,
  .xCheckReservedLock = file_check_reserved_lock,
  .xFileControl = file_control,
  .xSectorSize = file_sector_size,
  .xDeviceCharacteristics = file_characteristics,
  .xShmMap = file_share,
  .xShmLock = file_share_lock,
  .xShmBarrier = file_share_barrier,
  .xShmUnmap = file_unshare,
};

static int layer_open(
  sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
  Layer *layer = vfs->pAppData;
  file->pMethods = NULL;
  int code = fault(layer, CAUSEWAY_FAULT_OPEN);
  if (code) return code;
  ((File *)file)->layer = layer;
  code = layer->real->xOpen(layer->real, name, real(file), flags, out_flags);
  if (real(file)->pMethods) file->pMethods = &methods;
  return code;
}

static int layer_delete(sqlite3_vfs *vfs, const char *name, int syncs_directory) {
  Layer *layer = vfs->pAppData;
  int code = fault(layer, CAUSEWAY_FAULT_DELETE);
  return code ? code : layer->real->xDelete(layer->real, name, syncs_directory);
}

int causeway_fault_register(const char *name) {
  for (int index = 0; index < LAYERS; index++) {
    Layer *layer = &layers[index];
    int free = 0;
    if (!atomic_compare_exchange_strong(&layer->used, &free, 1)) continue;
    causeway_fault_disarm(index);
    layer->real = sqlite3_vfs_find(NULL);
    // Operations that do not concern files use the functions of the real layer.
    layer->vfs = *layer->real;
    layer->vfs.pNext = NULL;
    layer->vfs.pAppData = layer;
    layer->vfs.szOsFile = (int)sizeof(File) + layer->real->szOsFile;
    strncpy(layer->name, name, sizeof(layer->name) - 1);
    layer->vfs.zName = layer->name;
    layer->vfs.xOpen = layer_open;
    layer->vfs.xDelete = layer_delete;
    return sqlite3_vfs_register(&layer->vfs, 0) == SQLITE_OK ? index : -1;
  }
  return -1;
}

void causeway_fault_unregister(int layer) {
  sqlite3_vfs_unregister(&layers[layer].vfs);
  atomic_store(&layers[layer].used, 0);
}

void causeway_fault_arm(int layer, int calls, long nth, int code, int lasts, int torn) {
  Layer *armed = &layers[layer];
  atomic_store(&armed->calls, 0);
  atomic_store(&armed->nth, nth);
  atomic_store(&armed->code, code);
  atomic_store(&armed->lasts, lasts);
  atomic_store(&armed->torn, torn);
  atomic_store(&armed->count, 0);
  atomic_store(&armed->failures, 0);
  atomic_store(&armed->calls, calls);
}

void causeway_fault_disarm(int layer) {
  atomic_store(&layers[layer].calls, 0);
}

long causeway_fault_count(int layer) { return atomic_load(&layers[layer].count); }

long causeway_fault_failures(int layer) { return atomic_load(&layers[layer].failures); }
