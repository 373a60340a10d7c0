import Foundation
import RecordModel

@testable import RecordEngine

/// Files of stores that others have changed: they are refused or read, whatever is in them.
///
/// An input is a list of edits, one on each line; a line that is none is skipped:
///
/// - `sql UPDATE "Post" SET text = 7`: a statement, run before all other edits
/// - `set 4096 0d00`: other bytes at an offset
/// - `copy 0 4096 100`: bytes copied from an offset to another
/// - `cut 5000`: the length of the file
/// - `wal 377f0682`: the bytes of the log beside the file
/// - `migrate`: the file is opened with the later model
struct SQLiteTarget: FuzzTarget {
  private let original: Data
  private let url: URL
  private let models: [ManagedObjectModel]

  private static let statements = ["UPDATE ", "INSERT ", "DELETE ", "CREATE ", "DROP ", "ALTER "]

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("edited.store")
    models = [try World.model(), try World.model(isMigrated: true)]
    try? FileManager.default.removeItem(at: url)
    let model = models[0]
    try { [url] in try World.fill(PersistentContainer(model: model, storeURL: url).makeContext()) }()
    original = try Data(contentsOf: url)
    check(Array("migrate".utf8))
  }

  func check(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    let edits = text.unicodeScalars.split(separator: "\n").prefix(50).map {
      String($0).split(separator: " ", maxSplits: 1).map(String.init)
    }.filter { !$0.isEmpty }
    expectNoError("the file cannot be made") {
      remove()
      try original.write(to: url)
      try run(edits.filter { $0[0] == "sql" && $0.count > 1 }.map { $0[1] })
      var bytes = Array(try Data(contentsOf: url))
      for edit in edits where edit.count > 1 { Self.edit(&bytes, edit[0], edit[1]) }
      try Data(bytes).write(to: url)
      if let log = edits.first(where: { $0[0] == "wal" && $0.count > 1 }) {
        try Data(Self.bytes(log[1])).write(to: URL(fileURLWithPath: url.path + "-wal"))
      }
    }
    let model = models[edits.contains { $0[0] == "migrate" } ? 1 : 0]
    do throws(PersistentStoreError) {
      read(try SQLiteStore(url: url, schema: model.schema), model.schema)
      change(model)
    } catch {
      expect(error.message.contains(url.path), "the file is not named: \(error.message)")
    }
    remove()
  }

  private func remove() {
    for ending in ["", "-wal", "-shm", "-journal"] {
      try? FileManager.default.removeItem(atPath: url.path + ending)
    }
  }

  // MARK: Edits

  /// Statements that SQLite refuses change nothing.
  private func run(_ statements: [String]) throws {
    let statements = statements.filter { statement in Self.statements.contains { statement.hasPrefix($0) } }
    guard !statements.isEmpty else { return }
    let connection = try SQLiteConnection(path: url.path, mayCreate: false, listWidth: 1)
    for statement in statements { try? connection.run(statement) }
  }

  private static func edit(_ bytes: inout [UInt8], _ verb: String, _ rest: String) {
    let words = rest.split(separator: " ").map(String.init)
    let numbers = words.map { Int($0).map { max(0, $0) } ?? 0 }
    guard !bytes.isEmpty else { return }
    switch verb {
    case "set" where words.count > 1:
      for (index, byte) in Self.bytes(words[1]).enumerated() {
        bytes[(numbers[0] % bytes.count + index) % bytes.count] = byte
      }
    case "copy" where words.count > 2:
      let (from, to) = (numbers[0] % bytes.count, numbers[1] % bytes.count)
      let count = min(numbers[2], bytes.count - max(from, to))
      bytes.replaceSubrange(to..<to + count, with: Array(bytes[from..<from + count]))
    case "cut": bytes.removeLast(bytes.count - min(numbers[0], bytes.count))
    default: break
    }
  }

  private static func bytes(_ text: String) -> [UInt8] {
    let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    return stride(from: 0, to: digits.count - digits.count % 2, by: 2).map {
      UInt8(digits[$0] * 16 + digits[$0 + 1])
    }
  }

  // MARK: Use

  /// Reads everything in every way. What cannot be read is an error of its own, and the rest is read all the same.
  private func read(_ store: SQLiteStore, _ schema: Schema) {
    for entity in schema.entities {
      let rows = (try? store.rows(of: entity.index)) ?? []
      _ = try? store.rows(rows.map(\.id) + [RecordID(tree: entity.tree, serial: 1)])
      _ = try? store.count(StoreFetch(entity: entity.index))
      for attribute in entity.attributes {
        _ = try? store.distinctValues(inColumn: attribute.column, StoreFetch(entity: entity.index))
      }
      for relationship in entity.relationships.map({ schema.relationships[$0] }) {
        if relationship.isToMany { _ = try? store.members(of: relationship.index, owners: rows.map(\.id)) }
        _ = try? store.owners(of: relationship, members: rows.map(\.id))
      }
      let keys = ["1", "2"].map { RecordKey([.string($0)]) } + [RecordKey([.integer(1)])]
      _ = try? store.rows(scope: entity.keyScope, keys: keys)
    }
  }

  /// Changes everything as an app does.
  private func change(_ model: ManagedObjectModel) {
    guard let container = try? PersistentContainer(model: model, storeURL: url) else { return }
    let context = container.makeContext()
    for predicate: RecordPredicate? in [nil, "user.name BEGINSWITH 'A' OR likes > 3"] {
      let posts = (try? context.fetch(RecordFetchRequest("Post", predicate: predicate))) ?? []
      for post in posts {
        let (user, tags): (Record?, [Record]) = (post["user"], post["tags"])
        _ = (user?.value(of: "name"), post.value(of: "extra"))
        post["tags"] = Array(tags.reversed())
        post["user"] = user?["boss"] as Record?
      }
      _ = try? context.save()
    }
    for user in (try? context.fetch(RecordFetchRequest("User"))) ?? [] { context.delete(user) }
    _ = try? context.insert("Tag")
    _ = try? context.save()
  }
}
