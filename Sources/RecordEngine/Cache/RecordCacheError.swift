public import Foundation

/// An error that prevents opening, creating or emptying the file of a cache. A file that is not a cache is not changed.
///
/// A cache that is damaged or has another version causes no error. It is created again.
public struct RecordCacheError: Error, Hashable, Sendable {
  /// The kind of a cache error.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file cannot be opened or created. For example, its folder is missing, it is a folder, or access is denied.
    public static let cannotOpen = Kind(rawValue: "cannot-open")
    /// The file is not a record cache, but another file or database.
    public static let notACache = Kind(rawValue: "not-a-cache")
    /// Another process, or another cache of this process, uses the file.
    public static let locked = Kind(rawValue: "locked")
    /// The file can be read but not written.
    public static let readOnly = Kind(rawValue: "read-only")
    /// The disk is full, or the maximum size of files is reached.
    public static let diskFull = Kind(rawValue: "disk-full")
  }

  /// The kind of the error.
  public let kind: Kind

  /// The URL of the file, or nil for a cache in memory.
  public let url: URL?

  /// The problem and its solution, in one or two sentences that name the file.
  public let message: String

  init(_ kind: Kind, _ url: URL?, _ message: String) {
    self.kind = kind
    self.url = url
    self.message = message
  }
}

extension RecordCacheError: CustomStringConvertible {
  public var description: String { message }
}

extension RecordCacheError {
  /// Creates the error that reports an SQLite error to the user.
  init(_ error: SQLiteError, _ url: URL?) {
    let name = Self.name(of: url)
    switch error.kind {
    case .locked:
      self.init(.locked, url, "\(name) is in use by another process or cache; close it there and try again")
    case .foreign:
      self.init(.notACache, url, "'\(url?.path ?? "")' is not a record cache; choose another file")
    case .readOnly:
      self.init(.readOnly, url, "\(name) cannot be written; allow writing to the file and its folder")
    case .full:
      self.init(.diskFull, url, "no disk space left to write \(name); free some space and try again")
    case .disk:
      self.init(
        .cannotOpen, url,
        "\(name) could not be accessed because of a disk error (\(error.message), system error \(error.systemCode)); check the disk and try again"
      )
    case .damaged, .cannotOpen, .statement, .other:
      self.init(.cannotOpen, url, "\(name) cannot be used: \(error.message)")
    }
  }

  /// Creates the error for a location where a cache cannot be created.
  init(_ problem: SQLiteFileLocation.Problem, _ url: URL) {
    switch problem {
    case .isNoFile:
      self.init(.cannotOpen, url, "'\(url)' is not a file URL; a record cache needs the URL of a file")
    case .isFolder: self.init(.cannotOpen, url, "'\(url.path)' is a folder; a record cache needs a file")
    case .folderIsMissing(let folder):
      self.init(
        .cannotOpen, url, "\(Self.name(of: url)) cannot be created: the folder '\(folder)' does not exist")
    }
  }

  /// Returns the name of a cache for the beginning of a sentence.
  static func name(of url: URL?) -> String {
    url.map { "the record cache '\($0.path)'" } ?? "the record cache in memory"
  }
}
