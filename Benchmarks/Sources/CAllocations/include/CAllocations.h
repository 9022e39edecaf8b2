#pragma once
#include <stddef.h>

/// The number of allocations of the process so far; 0 where they cannot be counted.
long causeway_allocation_count(void);

/// The bytes that are allocated at this moment; 0 where they cannot be counted.
long causeway_allocated_bytes(void);

/// The largest resident size of the process so far, in bytes.
long causeway_peak_resident_bytes(void);
