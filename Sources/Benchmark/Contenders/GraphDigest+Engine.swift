import Foundation
import RecordEngine
import RecordModel

extension GraphDigest {
  /// Creates the digest of a store of the engine.
  init(reading store: any Store, schema: Schema) throws {
    self.init()
    let entities: [FeedTable: EntityName] = [
      .post: "Post", .user: "User", .counts: "Counts", .source: "Source", .tag: "Tag",
    ]
    var keys: [RecordID: AttributeValue] = [:]
    var rows: [FeedTable: [Row]] = [:]
    for (table, name) in entities {
      guard let entity = schema.entity(name) else { throw BenchmarkFailure("the model has no \(name)") }
      rows[table] = try store.rows(of: entity.index)
      guard case .attributes(let positions) = entity.key else { continue }
      let column = entity.attributes[positions[0]].column
      for row in rows[table] ?? [] { keys[row.id] = row.values[column] }
    }
    for (table, rows) in rows {
      for row in rows {
        let entity = schema.entities[row.entity]
        var digest = RowDigest()
        for column in table.columns {
          let name = PropertyName(column.name)
          if let position = entity.attributeIndices[name] {
            digest.append(row.values[entity.attributes[position].column], column.kind)
          } else if let slot = entity.relationshipIndices[name].flatMap({ schema.relationships[$0].slot }) {
            digest.append(row.toOnes[for: slot].flatMap { keys[$0] }, column.kind)
          }
        }
        add(digest, to: table)
      }
    }
    guard let tags = schema.entity("Post")?.relationshipIndices["tags"], let posts = rows[.post] else {
      return
    }
    for (post, members) in zip(posts, try store.members(of: tags, owners: posts.map(\.id))) {
      for tag in members {
        var digest = RowDigest()
        digest.append(keys[post.id], .integer)
        digest.append(keys[tag], .text)
        add(digest, to: .postTag)
      }
    }
  }
}

extension RowDigest {
  fileprivate mutating func append(_ value: AttributeValue?, _ kind: FeedTable.Kind) {
    switch value {
    case .integer(let value): append(value)
    case .boolean(let value): append(value ? Int64(1) : 0)
    case .date(let value): append(Int64(value.timeIntervalSince1970))
    case .double(let value): append(value)
    case .string(let value): append(value)
    default:
      switch kind {
      case .integer: append(nil as Int64?)
      case .double: append(nil as Double?)
      case .text: append(nil as String?)
      }
    }
  }
}
