#pragma once
#include <stddef.h>

/// The number of allocations of the process so far; 0 if the platform cannot count them.
long causeway_allocation_count(void);

/// The number of allocated bytes at this moment; 0 if the platform cannot count them.
long causeway_allocated_bytes(void);

/// The largest resident size of the process so far, in bytes.
long causeway_peak_resident_bytes(void);
