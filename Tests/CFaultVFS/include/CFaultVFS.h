#ifndef CAUSEWAY_CFAULTVFS_H
#define CAUSEWAY_CFAULTVFS_H

// A layer between SQLite and the operating system whose calls fail when a test requests it.

// Calls that can fail. A plan combines them as a sum.
enum {
  CAUSEWAY_FAULT_OPEN = 1,
  CAUSEWAY_FAULT_READ = 2,
  CAUSEWAY_FAULT_WRITE = 4,
  CAUSEWAY_FAULT_SYNC = 8,
  CAUSEWAY_FAULT_TRUNCATE = 16,
  CAUSEWAY_FAULT_SHARE = 32,
  CAUSEWAY_FAULT_DELETE = 64,
  CAUSEWAY_FAULT_SIZE = 128,
  // The syncs that use a stronger call than fsync, on systems that have one.
  CAUSEWAY_FAULT_FULL_SYNC = 256,
};

// Registers a layer with SQLite under a name. Returns its number, or -1 if there are too many.
int causeway_fault_register(const char *name);

// Unregisters a layer. It must no longer be in use.
void causeway_fault_unregister(int layer);

// Makes the nth of the calls fail with an SQLite result code, and all later calls too if `lasts` is
// not 0. A torn write stores the first half before it fails. With 0 as nth the layer only counts.
void causeway_fault_arm(int layer, int calls, long nth, int code, int lasts, int torn);

// Ends all failures.
void causeway_fault_disarm(int layer);

// The number of the calls since the layer was armed.
long causeway_fault_count(int layer);

// The number of failed calls since the layer was armed.
long causeway_fault_failures(int layer);

#endif
