import Foundation
import RecordModel

@testable import RecordEngine

/// Modified store files (``EditedFile``): they are refused or read, with any contents. A line `migrate` opens the file
/// with the later model.
struct SQLiteTarget: FuzzTarget {
  private let file: EditedFile
  private let models: [ManagedObjectModel]

  init() throws {
    let models = [try World.model(), try World.model(isMigrated: true)]
    self.models = models
    file = try EditedFile("edited.store") { url in
      try World.fill(
        PersistentContainer(model: models[0], configuration: .init(store: .file(url))).makeContext())
    }
  }

  func check(_ input: [UInt8]) {
    let edits = EditedFile.edits(input)
    let model = models[edits.contains { $0.verb == "migrate" } ? 1 : 0]
    file.edited(by: edits) {
      do throws(PersistentStoreError) {
        read(try SQLiteStore(url: file.url, schema: model.schema), model.schema)
        change(model)
      } catch {
        expect(error.message.contains(file.url.path), "the file is not named: \(error.message)")
      }
    }
  }

  /// Reads everything in every way. A failing read does not prevent the other reads.
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

  /// Modifies and deletes records, as an app does.
  private func change(_ model: ManagedObjectModel) {
    guard let container = try? PersistentContainer(model: model, configuration: .init(store: .file(file.url)))
    else { return }
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
