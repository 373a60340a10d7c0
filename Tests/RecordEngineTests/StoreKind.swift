import Foundation
import RecordModel

@testable import RecordEngine

/// The kinds of stores that keep one contract.
enum StoreKind: String, CaseIterable, Sendable {
  case memory, sqlite
}

/// A new store of a kind, with the folder it needs.
struct TestStore {
  let store: any Store
  private let folder: TemporaryFolder?

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
