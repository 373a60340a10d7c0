import JSONTree
import OrderedCollections
import RecordModel

/// One element of a response that is to become a record: a dictionary, or a scalar that stands for a key.
struct Item: Sendable {
  var node: JSONNode
  /// The key under which the item stood in a dictionary of items. Rule: `mapping.keyed-collection`.
  var collectionKey: CollectionKey?

  struct CollectionKey: Sendable {
    /// The position of the attribute that the key becomes.
    var attribute: Int
    var node: JSONNode
  }

  var isDictionary: Bool { node.kind == .object }

  /// The item as predicates and hooks see it: a scalar is the dictionary it stands for, and a key of a collection is in
  /// place.
  func dictionary(of entity: SchemaEntity) -> JSONNode {
    if isDictionary {
      guard let collectionKey, case .object(var members) = node.value else { return node }
      members[entity.attributes[collectionKey.attribute].name.rawValue] = collectionKey.node.value
      return JSONDocument(.object(members)).root
    }
    guard case .attributes(let positions) = entity.key, positions.count == 1 else { return node }
    return JSONDocument(.object([entity.attributes[positions[0]].name.rawValue: node.value])).root
  }
}

extension Item {
  /// The items that a finding holds: arrays within arrays are flattened, one object counts as one item, and with
  /// `keyedBy` a dictionary is read as a collection of items by key.
  static func items(in finding: PathFinding, keyedBy attribute: Int?) -> [Item] {
    guard let attribute, case .node(let node) = finding, node.kind == .object else {
      return finding.nodes.map { Item(node: $0) }
    }
    // Of a key that stands twice the last one counts, as everywhere in a response.
    var values: OrderedDictionary<String, JSONNode> = [:]
    for (key, value) in node.members { values[key] = value }
    return values.map { key, value in
      Item(
        node: value, collectionKey: CollectionKey(attribute: attribute, node: JSONDocument(.string(key)).root)
      )
    }
  }
}
