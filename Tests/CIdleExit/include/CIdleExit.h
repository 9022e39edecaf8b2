// Programs with AddressSanitizer look for leaks when they exit. A program that links this target first
// waits until its other threads are idle; see IdleExit.c. There is nothing to call.
