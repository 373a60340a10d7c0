public import Foundation

/// Why a store's file could not be opened, or made. The file is as it was.
///
/// ```swift
/// do {
///   container = try PersistentContainer(model: model, storeURL: url)
/// } catch {
///   print(error)  // The store '/…/Posts.store' is in use by another process or container; …
///   if error.kind == .modelMismatch { print(error.changes) }
/// }
/// ```
public struct PersistentStoreError: Error, Hashable, Sendable {
  /// A kind of failure.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file cannot be opened or made: its folder is missing, it is a folder, access is denied.
    public static let cannotOpen = Kind(rawValue: "cannot-open")
    /// The file is no store of this engine: some other file, or somebody else's database.
    public static let notAStore = Kind(rawValue: "not-a-store")
    /// The file is a store, and something in it has been changed by other means or cut off.
    public static let damaged = Kind(rawValue: "damaged")
    /// Another process, or another container of this one, has the store open.
    public static let locked = Kind(rawValue: "locked")
    /// The file can be read and not written.
    public static let readOnly = Kind(rawValue: "read-only")
    /// There is no room left on the disk, or a limit on the size of files is reached.
    public static let diskFull = Kind(rawValue: "disk-full")
    /// The model has changed in ways that need more than adding, removing and renaming; ``changes`` names them.
    public static let modelMismatch = Kind(rawValue: "model-mismatch")
    /// A newer version of the engine has made the store.
    public static let newerFormat = Kind(rawValue: "newer-format")
  }

  public let kind: Kind

  /// The store's file.
  public let url: URL

  /// What happened and what to do, in one or two sentences that name the file.
  public let message: String

  /// What keeps the store from being migrated to the model, one sentence for each change, in the order of the model.
  public let changes: [String]

  init(_ kind: Kind, _ url: URL, _ message: String, changes: [String] = []) {
    self.kind = kind
    self.url = url
    self.message = message
    self.changes = changes
  }
}

extension PersistentStoreError: CustomStringConvertible {
  public var description: String { ([message] + changes.map { "- \($0)" }).joined(separator: "\n") }
}

extension PersistentStoreError {
  /// What SQLite found, as it is for people.
  init(_ error: SQLiteError, _ url: URL) {
    let path = url.path
    switch error.kind {
    case .locked:
      self.init(
        .locked, url,
        "The store '\(path)' is in use by another process or container; close it there and try again.")
    case .damaged:
      self.init(
        .damaged, url,
        "The store '\(path)' is damaged (\(error.message)); restore it from a copy, or move it away to begin anew."
      )
    case .foreign:
      self.init(.notAStore, url, "'\(path)' is no store of records; choose another file.")
    case .readOnly:
      self.init(
        .readOnly, url, "The store '\(path)' cannot be written; allow writing to the file and its folder.")
    case .full:
      self.init(.diskFull, url, "There is no room to write the store '\(path)'; make some and try again.")
    case .disk:
      self.init(
        .cannotOpen, url,
        "The disk failed the store '\(path)' (\(error.message), error \(error.systemCode) of the system); make sure that it works and try again."
      )
    case .cannotOpen, .statement, .other:
      self.init(.cannotOpen, url, "The store '\(path)' cannot be used: \(error.message).")
    }
  }
}
