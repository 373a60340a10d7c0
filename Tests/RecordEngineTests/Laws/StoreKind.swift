import Foundation
import RecordModel

@testable import RecordEngine

/// A kind of store. All kinds behave the same.
enum StoreKind: String, CaseIterable, Sendable {
  case memory, sqlite

  /// The stores on which the laws are tested: all, or the one in the environment variable `TEST_STORE`.
  static let chosen: [StoreKind] =
    ProcessInfo.processInfo.environment["TEST_STORE"].flatMap(StoreKind.init).map { [$0] } ?? allCases
}

/// A new store of a kind, with its folder.
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
