#pragma once

// The same work in C with prepared statements. It measures the cost of SQLite itself.

/// Opens a file in write-ahead-log mode with synchronous = NORMAL; returns a null pointer on
/// failure.
void *causeway_floor_open(const char *path);

/// Closes a database.
void causeway_floor_close(void *database);

/// Reads all columns of all rows of a query and returns their sum; -1 on failure. The compiler
/// cannot remove reads whose sum is used.
double causeway_floor_scan(void *database, const char *query);

/// Empties the table `bulk` and inserts rows of ten columns in one transaction; returns 0 on
/// success.
int causeway_floor_insert(void *database, int rows);

/// Inserts rows of three columns into the table `single`, each in its own transaction.
int causeway_floor_single(void *database, int rows);

// Reads the first row of `single` again and again, each time in a transaction. Returns 0 if each
// read found it.
int causeway_floor_read(void *database, int count);
