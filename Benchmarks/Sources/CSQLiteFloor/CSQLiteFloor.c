#include "CSQLiteFloor.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

void *causeway_floor_open(const char *path) {
  sqlite3 *database = 0;
  if (sqlite3_open_v2(
        path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, 0) !=
      SQLITE_OK) {
    return 0;
  }
  sqlite3_exec(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", 0, 0, 0);
  return database;
}

void causeway_floor_close(void *database) { sqlite3_close(database); }

double causeway_floor_scan(void *database, const char *query) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(database, query, -1, &statement, 0) != SQLITE_OK) return -1;
  double sum = 0;
  int columns = sqlite3_column_count(statement);
  while (sqlite3_step(statement) == SQLITE_ROW) {
    for (int column = 0; column < columns; column++) {
      switch (sqlite3_column_type(statement, column)) {
        case SQLITE_INTEGER: sum += (double)sqlite3_column_int64(statement, column); break;
        case SQLITE_FLOAT: sum += sqlite3_column_double(statement, column); break;
        case SQLITE_TEXT: {
          const unsigned char *text = sqlite3_column_text(statement, column);
          int count = sqlite3_column_bytes(statement, column);
          if (count > 0) sum += text[count - 1];
          break;
        }
        default: break;
      }
    }
  }
  sqlite3_finalize(statement);
  return sum;
}

int causeway_floor_insert(void *database, int rows) {
  sqlite3_stmt *statement;
  if (sqlite3_exec(database, "BEGIN IMMEDIATE; DELETE FROM bulk", 0, 0, 0) != SQLITE_OK) return 1;
  if (sqlite3_prepare_v2(
        database, "INSERT INTO bulk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", -1, &statement, 0) !=
      SQLITE_OK) {
    return 1;
  }
  char name[32];
  for (int row = 0; row < rows; row++) {
    int length = snprintf(name, sizeof(name), "activity number %d", row);
    sqlite3_bind_int64(statement, 1, row);
    sqlite3_bind_text(statement, 2, name, length, SQLITE_TRANSIENT);
    sqlite3_bind_text(statement, 3, "a place by the harbour", -1, SQLITE_TRANSIENT);
    sqlite3_bind_double(statement, 4, row * 0.5);
    sqlite3_bind_double(statement, 5, 12.25);
    sqlite3_bind_int64(statement, 6, row % 2);
    sqlite3_bind_int64(statement, 7, row * 3);
    if (row % 4 == 0) {
      sqlite3_bind_null(statement, 8);
    } else {
      sqlite3_bind_text(statement, 8, "short note", -1, SQLITE_TRANSIENT);
    }
    sqlite3_bind_int64(statement, 9, 7);
    sqlite3_bind_text(statement, 10, "open", -1, SQLITE_TRANSIENT);
    if (sqlite3_step(statement) != SQLITE_DONE) return 1;
    sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
  return sqlite3_exec(database, "COMMIT", 0, 0, 0) != SQLITE_OK;
}

int causeway_floor_single(void *database, int rows) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(
        database, "INSERT INTO single (name, size) VALUES (?, ?)", -1, &statement, 0) !=
      SQLITE_OK) {
    return 1;
  }
  for (int row = 0; row < rows; row++) {
    sqlite3_bind_text(statement, 1, "a row of its own", -1, SQLITE_TRANSIENT);
    sqlite3_bind_double(statement, 2, row);
    if (sqlite3_step(statement) != SQLITE_DONE) return 1;
    sqlite3_reset(statement);
  }
  return sqlite3_finalize(statement) != SQLITE_OK;
}

int causeway_floor_read(void *database, int count) {
  const char *texts[] = {"BEGIN", "SELECT id, name, size FROM single WHERE id = ?", "COMMIT"};
  sqlite3_stmt *statements[3];
  for (int index = 0; index < 3; index++) {
    if (sqlite3_prepare_v2(database, texts[index], -1, &statements[index], 0) != SQLITE_OK) return 1;
  }
  int found = 0;
  for (int round = 0; round < count; round++) {
    sqlite3_step(statements[0]);
    sqlite3_bind_int64(statements[1], 1, 1);
    if (sqlite3_step(statements[1]) == SQLITE_ROW) found += sqlite3_column_bytes(statements[1], 1) > 0;
    sqlite3_step(statements[2]);
    for (int index = 0; index < 3; index++) sqlite3_reset(statements[index]);
  }
  for (int index = 0; index < 3; index++) sqlite3_finalize(statements[index]);
  return found != count;
}
