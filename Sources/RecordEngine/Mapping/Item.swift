import JSONTree
import OrderedCollections
import RecordModel

/// An element of a response that becomes a record: a dictionary, or a scalar that represents a key.
struct Item: Sendable {
  var node: JSONNode
  /// The key of the item in a keyed collection. Rule: `mapping.keyed-collection`.
  var collectionKey: CollectionKey?

  /// A class, because few items have one, but all items reserve space for it.
  final class CollectionKey: Sendable {
    /// The attribute that is set to the key.
    let attribute: AttributeIndex
    let node: JSONNode

    init(attribute: AttributeIndex, node: JSONNode) {
      self.attribute = attribute
      self.node = node
    }
  }

  var isDictionary: Bool { node.kind == .object }

  /// Replaces a scalar in a keyed collection by its key in the collection, if this is the primary key.
  /// Rule: `mapping.keyed-collection`.
  mutating func standForKey(of entity: SchemaEntity) {
    guard let collectionKey, case .attributes([collectionKey.attribute]) = entity.key,
      ![.object, .array, .null].contains(node.kind)
    else { return }
    node = collectionKey.node
  }

  /// Returns a Boolean value that indicates whether a dictionary has no members besides the key of an entity.
  func containsOnlyKey(of entity: SchemaEntity) -> Bool {
    guard case .attributes(let positions) = entity.key else { return false }
    let paths = positions.flatMap { entity.attributes[$0].paths.map(\.components) }
    func isKey(_ node: JSONNode, at prefix: [MappingPath.Component]) -> Bool {
      node.members.allSatisfy { key, value in
        let path = prefix + [.key(key)]
        return paths.contains(path)
          || value.kind == .object && paths.contains { $0.starts(with: path) } && isKey(value, at: path)
      }
    }
    return isKey(node, at: [])
  }

  /// Returns the item as a dictionary for predicates and hooks. A scalar becomes a dictionary with the key attribute.
  /// The key of a keyed collection is added under the name of its attribute.
  func dictionary(of entity: SchemaEntity) -> JSONNode {
    if isDictionary {
      guard let collectionKey, case .object(var members) = node.value else { return node }
      members[entity.attributes[collectionKey.attribute].name.rawValue] = collectionKey.node.value
      return JSONDocument(.object(members), inPlaceOf: node).root
    }
    guard case .attributes(let positions) = entity.key, positions.count == 1 else { return node }
    return JSONDocument(.object([entity.attributes[positions[0]].name.rawValue: node.value]), inPlaceOf: node)
      .root
  }
}

/// The items of a finding. Nested arrays are flattened, and a single object counts as one item. With `keyedBy`, a
/// dictionary is a collection of items by key.
struct Items: Sequence, IteratorProtocol {
  /// The document of the remaining items. Used for nearly all findings.
  private var document: JSONDocument?
  private var tapeIndex: Int32 = 0
  private var end: Int32 = 0
  /// The number of items, if no arrays are nested in the array.
  let estimatedCount: Int
  /// The items of all other findings.
  private var list: [Item] = []
  private var position = 0

  init(in finding: PathFinding, keyedBy attribute: AttributeIndex?) {
    guard case .node(let node) = finding else {
      list = finding.nodes.map { Item(node: $0) }
      estimatedCount = list.count
      return
    }
    if let attribute, node.kind == .object {
      list = Self.collection(node, keyedBy: attribute)
      estimatedCount = list.count
    } else {
      estimatedCount = node.kind == .array ? node.count : 1
      document = node.document
      tapeIndex = node.index
      end = node.document.index(after: node.index)
    }
  }

  init(_ list: [Item]) {
    self.list = list
    estimatedCount = list.count
  }

  static let none = Items([])

  var isEmpty: Bool {
    var copy = self
    return copy.next() == nil
  }

  mutating func next() -> Item? {
    if let document {
      return document.nextElement(&tapeIndex, before: end).map { Item(node: document.node(at: $0)) }
    }
    guard position < list.count else { return nil }
    position += 1
    return list[position - 1]
  }

  private static func collection(_ node: JSONNode, keyedBy attribute: AttributeIndex) -> [Item] {
    // If a dictionary has a key twice, the last value counts, as everywhere in a response.
    var values: OrderedDictionary<ScalarString, JSONNode> = [:]
    for (key, value) in node.members { values[ScalarString(key)] = value }
    return values.flatMap { key, value in
      // A list in a dictionary has the key for each of its elements.
      PathFinding.node(value).nodes.map { node in
        let key = JSONDocument(.string(key.string), inPlaceOf: node).root
        return Item(node: node, collectionKey: Item.CollectionKey(attribute: attribute, node: key))
      }
    }
  }
}
