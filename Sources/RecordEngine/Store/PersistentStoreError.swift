public import Foundation

/// An error that occurs when the file of a store is opened or created. The file is left unchanged.
///
/// ```swift
/// do {
///   container = try PersistentContainer(model: model, configuration: .init(store: .file(url)))
/// } catch {
///   print(error)  // The store '/…/Posts.store' is in use by another process or container; …
///   if error.kind == .modelMismatch { print(error.changes) }
/// }
/// ```
public struct PersistentStoreError: Error, Hashable, Sendable {
  /// The kind of a failure.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The identifier of the kind, such as `locked`.
    public let rawValue: String
    /// Creates a kind from its identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file cannot be opened or created: for example, its folder is missing, the URL leads to a folder, or access
    /// is denied.
    public static let cannotOpen = Kind(rawValue: "cannot-open")
    /// The file is not a store of this engine, but another file or the database of another program.
    public static let notAStore = Kind(rawValue: "not-a-store")
    /// The file is a store, but it has been changed by other means or truncated.
    public static let damaged = Kind(rawValue: "damaged")
    /// Another process, or another container of this process, has the store open.
    public static let locked = Kind(rawValue: "locked")
    /// The file can be read but not written.
    public static let readOnly = Kind(rawValue: "read-only")
    /// The disk is full, or a limit on file sizes has been reached.
    public static let diskFull = Kind(rawValue: "disk-full")
    /// The model has changed in ways that cannot be migrated. ``changes`` lists these changes.
    public static let modelMismatch = Kind(rawValue: "model-mismatch")
    /// The store was created by a newer version of the engine.
    public static let newerFormat = Kind(rawValue: "newer-format")
  }

  /// The kind of the failure.
  public let kind: Kind

  /// The file of the store.
  public let url: URL

  /// A description of the problem and its solution, in one or two sentences that name the file.
  public let message: String

  /// The changes that prevent a migration to the model, one sentence each, in the order of the model.
  public let changes: [String]

  init(_ kind: Kind, _ url: URL, _ message: String, changes: [String] = []) {
    self.kind = kind
    self.url = url
    self.message = message
    self.changes = changes
  }
}

extension PersistentStoreError: CustomStringConvertible {
  /// The message, followed by the changes in separate lines.
  public var description: String { ([message] + changes.map { "- \($0)" }).joined(separator: "\n") }
}

extension PersistentStoreError {
  /// Creates an error with a message for users from an error of SQLite.
  init(_ error: SQLiteError, _ url: URL) {
    let path = url.path
    switch error.kind {
    case .locked:
      self.init(
        .locked, url,
        "the store '\(path)' is in use by another process or container; close it there and try again")
    case .damaged:
      self.init(
        .damaged, url,
        "the store '\(path)' is damaged (\(error.message)); restore a backup, or move the file to start with an empty store"
      )
    case .foreign:
      self.init(.notAStore, url, "'\(path)' is not a record store; choose another file")
    case .readOnly:
      self.init(
        .readOnly, url, "the store '\(path)' cannot be written; allow writing to the file and its folder")
    case .full:
      self.init(
        .diskFull, url, "no disk space left to write the store '\(path)'; free some space and try again")
    case .disk:
      self.init(
        .cannotOpen, url,
        "the store '\(path)' could not be accessed because of a disk error (\(error.message), system error \(error.systemCode)); check the disk and try again"
      )
    case .cannotOpen, .statement, .other:
      self.init(.cannotOpen, url, "the store '\(path)' cannot be used: \(error.message)")
    }
  }
}
