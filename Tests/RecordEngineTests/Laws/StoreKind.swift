import Foundation
import RecordModel

@testable import RecordEngine

/// The kinds of stores that keep one contract.
enum StoreKind: String, CaseIterable, Sendable {
  case memory, sqlite

  /// The stores that laws are tested on: all, or the one that `TEST_STORE` names.
  static let chosen: [StoreKind] =
    ProcessInfo.processInfo.environment["TEST_STORE"].flatMap(StoreKind.init).map { [$0] } ?? allCases
}

/// A new store of a kind, with the folder it needs.
struct TestStore {
  let store: any Store
  private let folder: TemporaryFolder?

  init(_ store: any Store) {
    self.store = store
    folder = nil
  }

  init(_ kind: StoreKind, _ schema: Schema) throws {
    switch kind {
    case .memory:
      folder = nil
      store = MemoryStore(schema: schema)
    case .sqlite:
      let folder = try TemporaryFolder()
      self.folder = folder
      store = try SQLiteStore(url: folder.file(), schema: schema)
    }
  }
}
