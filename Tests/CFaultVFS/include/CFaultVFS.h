#ifndef CAUSEWAY_CFAULTVFS_H
#define CAUSEWAY_CFAULTVFS_H

// A layer between SQLite and the operating system whose calls fail when a test says so.

// Calls that can fail; a plan names them as a sum.
enum {
  CAUSEWAY_FAULT_OPEN = 1,
  CAUSEWAY_FAULT_READ = 2,
  CAUSEWAY_FAULT_WRITE = 4,
  CAUSEWAY_FAULT_SYNC = 8,
  CAUSEWAY_FAULT_TRUNCATE = 16,
  CAUSEWAY_FAULT_SHARE = 32,
  CAUSEWAY_FAULT_DELETE = 64,
  CAUSEWAY_FAULT_SIZE = 128,
  // Those of the syncs that ask for more than fsync where the system has more.
  CAUSEWAY_FAULT_FULL_SYNC = 256,
};

// Makes a layer known to SQLite under a name; returns its number, or -1 if there are too many.
int causeway_fault_register(const char *name);

// Forgets a layer. Nothing may use it any more.
void causeway_fault_unregister(int layer);

// From now on the nth of the calls fails with an SQLite result code, and if it lasts all later ones
// too. A torn write has stored the first half when it fails. 0 as nth only counts.
void causeway_fault_arm(int layer, int calls, long nth, int code, int lasts, int torn);

// Nothing fails any more.
void causeway_fault_disarm(int layer);

// How many of the calls there were since the layer was armed.
long causeway_fault_count(int layer);

// How many calls have failed since the layer was armed.
long causeway_fault_failures(int layer);

#endif
