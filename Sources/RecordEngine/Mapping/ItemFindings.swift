import JSONTree
import RecordModel

/// What an item has for the properties of its entity, looked up once.
struct ItemFindings: Sendable {
  /// By position in `SchemaEntity.attributes`; nil where no path is present.
  var attributes: [PathFinding?]
  /// By position in `SchemaEntity.relationships`.
  var relationships: [PathFinding?]

  init(_ item: Item, entity: SchemaEntity, schema: Schema) {
    guard item.isDictionary else {
      attributes = Array(repeating: nil, count: entity.attributes.count)
      relationships = Array(repeating: nil, count: entity.relationships.count)
      if case .attributes(let positions) = entity.key, positions.count == 1 {
        attributes[positions[0]] = .node(item.node)
      }
      return
    }
    attributes = entity.attributes.map { Self.first(of: $0.paths, in: item.node) }
    relationships = entity.relationships.map { Self.first(of: schema.relationships[$0].paths, in: item.node) }
    if let key = item.collectionKey { attributes[key.attribute] = .node(key.node) }
  }

  /// The first path that is present decides, null included. Rule: `mapping.first-match`.
  private static func first(of paths: [MappingPath], in node: JSONNode) -> PathFinding? {
    return MappingPath.firstFinding(of: paths, in: node)?.finding
  }

  /// The first path that is present and not null: a key is looked for past nulls. Rule: `identity.key-path`.
  static func key(_ attribute: SchemaAttribute, in node: JSONNode) -> PathFinding? {
    for path in attribute.paths {
      if let finding = path.find(in: node), !finding.isNull { return finding }
    }
    return nil
  }

  /// Whether there is a mapped property besides the key: what makes an item more than a stub.
  func isFull(_ entity: SchemaEntity) -> Bool {
    switch entity.key {
    case .none: return true
    case .attributes(let positions):
      return attributes.indices.contains { attributes[$0] != nil && !positions.contains($0) }
        || relationships.contains { $0 != nil }
    case .relationship(let key):
      return attributes.contains { $0 != nil }
        || relationships.indices.contains { relationships[$0] != nil && entity.relationships[$0] != key }
    }
  }
}

extension PathFinding {
  var isNull: Bool {
    if case .node(let node) = self { node.isNull } else { false }
  }
}
