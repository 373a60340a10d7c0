import Foundation
import RecordEngineSQLite

/// An error of SQLite.
package struct SQLiteError: Error, Hashable, Sendable {
  /// The primary result code, such as `SQLITE_FULL`.
  package let code: Int32
  package let extendedCode: Int32
  /// The message of SQLite, or of the reader of a file with invalid content.
  package let message: String
  /// The error code of the system, such as `ENOSPC`; 0 if there is none.
  package let systemCode: Int32

  package init(code: Int32, message: String, systemCode: Int32 = 0) {
    self.code = code & 0xFF
    extendedCode = code
    self.message = message
    self.systemCode = systemCode
  }

  /// Creates an error for a file with invalid content.
  package static func damaged(_ message: String) -> SQLiteError {
    SQLiteError(code: SQLITE_CORRUPT, message: message)
  }
}

extension SQLiteError {
  /// The kind of an error, as far as callers distinguish them.
  package enum Kind: Hashable, Sendable {
    /// Another process or connection has locked the file.
    case locked
    case damaged
    /// The file is not a database.
    case foreign
    case readOnly
    case full
    /// The disk has failed for a reason other than missing space.
    case disk
    case cannotOpen
    /// The statement is invalid, or refers to a missing table or column.
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
    // A file size limit or a quota can end a write although the disk has free space.
    case SQLITE_IOERR where [ENOSPC, EFBIG, EDQUOT].contains(systemCode): .full
    case SQLITE_IOERR where extendedCode == Self.shortRead: .damaged
    case SQLITE_IOERR: .disk
    default: .other
    }
  }

  // The C header defines this code with a shift, which Swift does not import.
  private static let shortRead = SQLITE_IOERR | 2 << 8
}

extension SQLiteError {
  /// An error for a file that is recognized as foreign before SQLite reads it.
  package static let foreign = SQLiteError(code: SQLITE_NOTADB, message: "file is not a database")

  /// An error for a transaction that was canceled before the commit.
  package static let calledOff = SQLiteError(code: SQLITE_ABORT, message: "the save was canceled")

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
