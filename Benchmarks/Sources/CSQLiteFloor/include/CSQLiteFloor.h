#pragma once

// The same work in C with prepared statements: what SQLite itself costs.

/// Opens a file in write-ahead-log mode with synchronous = NORMAL; a null pointer if it fails.
void *causeway_floor_open(const char *path);

/// Closes it.
void causeway_floor_close(void *database);

/// Reads all columns of all rows of a query and returns their sum, so that nothing is left out; -1
/// if it fails.
double causeway_floor_scan(void *database, const char *query);

/// Empties the table `bulk` and inserts rows of ten columns in one transaction; 0 if it worked.
int causeway_floor_insert(void *database, int rows);

/// Inserts rows of three columns into the table `single`, each in a transaction of its own.
int causeway_floor_single(void *database, int rows);
