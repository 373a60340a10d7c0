#ifndef RECORD_ENGINE_SQLITE_H
#define RECORD_ENGINE_SQLITE_H

#include <sqlite3.h>

// The parts of sqlite3.h that Swift cannot import: macros with casts, and variadic functions.

/// Returns the destructor with which SQLite copies the bytes that it receives.
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Returns the destructor with which SQLite relies on the bytes to stay valid.
static inline sqlite3_destructor_type csqlite_static(void) { return SQLITE_STATIC; }

/// Turns an option of a connection on or off.
static inline int csqlite_set(sqlite3 *connection, int option, int is_on) {
  return sqlite3_db_config(connection, option, is_on, (int *)0);
}

#endif
