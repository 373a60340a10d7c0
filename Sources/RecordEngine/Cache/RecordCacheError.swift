public import Foundation

/// Why a cache's file could not be opened, or made, or emptied. A file that is none of a cache is as it was.
///
/// A cache that is damaged, or of another version, is no error: it is made anew.
public struct RecordCacheError: Error, Hashable, Sendable {
  /// A kind of failure.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file cannot be opened or made: its folder is missing, it is a folder, access is denied.
    public static let cannotOpen = Kind(rawValue: "cannot-open")
    /// The file is no record cache: some other file, or another database.
    public static let notACache = Kind(rawValue: "not-a-cache")
    /// Another process, or another cache of this one, has the file open.
    public static let locked = Kind(rawValue: "locked")
    /// The file can be read and not written.
    public static let readOnly = Kind(rawValue: "read-only")
    /// There is no room left on the disk, or a limit on the size of files is reached.
    public static let diskFull = Kind(rawValue: "disk-full")
  }

  public let kind: Kind

  /// The cache's file; nil for a cache in memory.
  public let url: URL?

  /// What happened and what to do, in one or two sentences that name the file.
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
  /// What SQLite found, as it is for people.
  init(_ error: SQLiteError, _ url: URL?) {
    let name = Self.name(of: url)
    switch error.kind {
    case .locked:
      self.init(.locked, url, "\(name) is in use by another process or cache; close it there and try again.")
    case .foreign:
      self.init(.notACache, url, "'\(url?.path ?? "")' is no record cache; choose another file.")
    case .readOnly:
      self.init(.readOnly, url, "\(name) cannot be written; allow writing to the file and its folder.")
    case .full:
      self.init(.diskFull, url, "There is no room to write \(name.lowercasedFirst); make some and try again.")
    case .disk:
      self.init(
        .cannotOpen, url,
        "The disk failed \(name.lowercasedFirst) (\(error.message), error \(error.systemCode) of the system); make sure that it works and try again."
      )
    case .damaged, .cannotOpen, .statement, .other:
      self.init(.cannotOpen, url, "\(name) cannot be used: \(error.message).")
    }
  }

  /// Why there can be no cache at a place.
  init(_ problem: SQLiteFileLocation.Problem, _ url: URL) {
    switch problem {
    case .isNoFile: self.init(.cannotOpen, url, "'\(url)' is no file; a record cache needs the URL of one.")
    case .isFolder: self.init(.cannotOpen, url, "'\(url.path)' is a folder; a record cache needs a file.")
    case .folderIsMissing(let folder):
      self.init(.cannotOpen, url, "\(Self.name(of: url)) cannot be made: there is no folder '\(folder)'.")
    }
  }

  /// What sentences begin with.
  static func name(of url: URL?) -> String {
    url.map { "The record cache '\($0.path)'" } ?? "The record cache in memory"
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
