import Foundation
import RecordEngineSQLite

/// What SQLite answered where it could not do what it was asked.
package struct SQLiteError: Error, Hashable, Sendable {
  /// The primary result code, as `SQLITE_FULL`.
  package let code: Int32
  package let extendedCode: Int32
  /// SQLite's own words, or the reader's for what a file should not hold.
  package let message: String
  /// What the system said of a file, as `ENOSPC`; 0 where it said nothing.
  package let systemCode: Int32

  package init(code: Int32, message: String, systemCode: Int32 = 0) {
    self.code = code & 0xFF
    extendedCode = code
    self.message = message
    self.systemCode = systemCode
  }

  /// The file holds what nobody writes there.
  package static func damaged(_ message: String) -> SQLiteError {
    SQLiteError(code: SQLITE_CORRUPT, message: message)
  }
}

extension SQLiteError {
  /// What went wrong, as far as callers tell it apart.
  package enum Kind: Hashable, Sendable {
    /// Somebody else has the file.
    case locked
    case damaged
    /// It is no database at all.
    case foreign
    case readOnly
    case full
    /// The disk could not do it, for another reason than that it is full.
    case disk
    case cannotOpen
    /// The statement speaks of what is not there, or cannot be.
    case statement
    case other
  }

  package var kind: Kind {
    switch code {
    case SQLITE_BUSY, SQLITE_LOCKED: .locked
    case SQLITE_CORRUPT, SQLITE_FORMAT: .damaged
    case SQLITE_NOTADB: .foreign
    case SQLITE_READONLY, SQLITE_PERM: .readOnly
    case SQLITE_FULL: .full
    case SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_CONSTRAINT, SQLITE_NOTFOUND: .statement
    case SQLITE_CANTOPEN, SQLITE_AUTH: .cannotOpen
    // A limit on the size of files, or a quota, ends a write that the disk has room for.
    case SQLITE_IOERR where [ENOSPC, EFBIG, EDQUOT].contains(systemCode): .full
    case SQLITE_IOERR where extendedCode == Self.shortRead: .damaged
    case SQLITE_IOERR: .disk
    default: .other
    }
  }

  // The header makes it by a shift, which Swift does not import.
  private static let shortRead = SQLITE_IOERR | 2 << 8
}

extension SQLiteError {
  /// What is found before SQLite would say so.
  package static let foreign = SQLiteError(code: SQLITE_NOTADB, message: "file is not a database")

  /// A transaction that was not to be committed.
  package static let calledOff = SQLiteError(code: SQLITE_ABORT, message: "the save was called off")

  package static func readOnly(_ message: String) -> SQLiteError {
    SQLiteError(code: SQLITE_READONLY, message: message)
  }

  package static func cannotOpen(_ message: String) -> SQLiteError {
    SQLiteError(code: SQLITE_CANTOPEN, message: message)
  }

  package static func locked(_ message: String) -> SQLiteError {
    SQLiteError(code: SQLITE_BUSY, message: message)
  }
}
