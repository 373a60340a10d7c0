#ifndef RECORD_ENGINE_SQLITE_H
#define RECORD_ENGINE_SQLITE_H

#include <sqlite3.h>

// What Swift cannot say of sqlite3.h: macros that cast, and functions of any number of arguments.

/// Tells SQLite to make a copy of the bytes it is given.
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Tells SQLite that the bytes it is given stay where they are.
static inline sqlite3_destructor_type csqlite_static(void) { return SQLITE_STATIC; }

/// Turns a switch of a connection on or off.
static inline int csqlite_set(sqlite3 *connection, int option, int is_on) {
  return sqlite3_db_config(connection, option, is_on, (int *)0);
}

#endif
