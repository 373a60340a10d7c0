import JSONTree
import RecordModel

/// The values that an item has for the properties of its entity. They are looked up once.
struct ItemFindings: Sendable {
  /// The document of the item.
  let document: JSONDocument
  /// The index of the item in the document.
  private let tapeIndex: Int32
  private let attributeCount: Int
  /// The indices in the document of the values found for the attributes, followed by those for the relationships. -1 if
  /// no path is present. Lower values count backwards from -2, and refer to ``others``.
  private var tapeIndices: [Int32]
  /// The findings that are not values of the document.
  private var others: [PathFinding] = []

  /// Looks up the values of an item.
  ///
  /// - Parameter found: a reusable buffer.
  init(_ item: Item, _ entities: [SchemaEntity], entity: EntityIndex, found: inout [Int32]) {
    document = item.node.document
    tapeIndex = item.node.index
    attributeCount = entities[entity].attributes.count
    let lookup = entities[entity].lookup
    guard item.isDictionary else {
      tapeIndices = Array(repeating: -1, count: lookup.properties.count)
      if case .attributes(let positions) = entities[entity].key, positions.count == 1 {
        tapeIndices[for: positions[0]] = item.node.index
      }
      return
    }
    document.find(lookup.keys, inObjectAt: item.node.index, into: &found)
    tapeIndices = []
    tapeIndices.reserveCapacity(lookup.properties.count)
    for steps in lookup.properties { tapeIndices.append(first(of: steps, lookup, found, in: item.node)) }
    if !lookup.nullValues.isEmpty { replaceNullValues(lookup.nullValues) }
    if let key = item.collectionKey { setAttribute(key.attribute, .node(key.node)) }
  }

  /// Returns the index of the value for a property. The first path that is present counts, even if its value is null.
  /// Rule: `mapping.first-match`.
  private mutating func first(
    of steps: Range<Int>, _ lookup: PropertyLookup, _ found: [Int32], in node: JSONNode
  ) -> Int32 {
    for step in steps {
      switch lookup.steps[step] {
      case .key(let key): if found[key] >= 0 { return found[key] }
      case .path(let path):
        if let finding = lookup.paths[path].find(in: node) { return tapeIndex(of: finding) }
      }
    }
    return -1
  }

  /// Replaces the values that mean null. Rule: `mapping.null-values`.
  private mutating func replaceNullValues(_ nullValues: [[JSONValue]]) {
    for (property, values) in nullValues.enumerated() where !values.isEmpty && tapeIndices[property] >= 0 {
      let node = document.node(at: tapeIndices[property])
      if values.contains(where: { Self.isEqual(node, $0) }) {
        tapeIndices[property] = tapeIndex(of: .node(Self.null))
      }
    }
  }

  private static let null = JSONDocument(.null).root

  /// Returns a Boolean value that indicates whether a value of a response equals a scalar, or an empty list or object.
  private static func isEqual(_ node: JSONNode, _ value: JSONValue) -> Bool {
    guard node.kind == value.kind else { return false }
    switch node.kind {
    case .array, .object: return node.count == 0
    case .null, .boolean, .number, .string: return node.value == value
    }
  }

  /// Returns the value of a key attribute: that of the first path that is present and not null. Null values are
  /// skipped. Rule: `identity.key-path`.
  static func key(_ attribute: SchemaAttribute, in node: JSONNode) -> PathFinding? {
    for path in attribute.paths {
      if let finding = path.find(in: node), !finding.isNull { return finding }
    }
    return nil
  }
}

extension ItemFindings {
  /// Returns the value for an attribute; nil if no path is present.
  func attribute(_ index: AttributeIndex) -> PathFinding? { finding(tapeIndices[for: index]) }

  /// Returns the value for a relationship, by its position in the entity; nil if no path is present.
  func relationship(_ position: Int) -> PathFinding? { finding(tapeIndices[attributeCount + position]) }

  /// The node of the item.
  var node: JSONNode { document.node(at: tapeIndex) }

  /// Returns the index in ``document`` of the value for an attribute; negative if there is none, or if it is not in the
  /// document.
  func tapeIndex(of attribute: AttributeIndex) -> Int32 { tapeIndices[for: attribute] }

  mutating func setAttribute(_ attribute: AttributeIndex, _ finding: PathFinding) {
    tapeIndices[for: attribute] = tapeIndex(of: finding)
  }

  private func finding(_ tapeIndex: Int32) -> PathFinding? {
    if tapeIndex >= 0 { return .node(document.node(at: tapeIndex)) }
    return tapeIndex == -1 ? nil : others[Int(-2 - tapeIndex)]
  }

  private mutating func tapeIndex(of finding: PathFinding) -> Int32 {
    if case .node(let node) = finding, node.document === document { return node.index }
    others.append(finding)
    return -1 - Int32(others.count)
  }

  /// Returns the number of properties that the item has. A parent that is the key does not count, because nested items need not
  /// name it.
  func count(_ entity: SchemaEntity) -> Int {
    let count = tapeIndices.count { $0 != -1 }
    guard case .relationship(let key) = entity.key, let position = entity.relationships.firstIndex(of: key),
      tapeIndices[attributeCount + position] != -1
    else { return count }
    return count - 1
  }

  /// Returns a Boolean value that indicates whether the item is full: it has a mapped property besides the key.
  func isFull(_ schema: Schema, _ entity: EntityIndex) -> Bool {
    // The dictionary itself is a property of the record. Rule: `dynamic.store`.
    if schema.entities[entity].dictionaryAttribute != nil { return true }
    switch schema.entities[entity].key {
    case .none: return true
    case .attributes(let positions):
      return tapeIndices.indices.contains { tapeIndices[$0] != -1 && !positions.contains(AttributeIndex($0)) }
    case .relationship(let key):
      return tapeIndices.indices.contains {
        tapeIndices[$0] != -1
          && ($0 < attributeCount || schema.entities[entity].relationships[$0 - attributeCount] != key)
      }
    }
  }
}

extension ItemFindings {
  /// Returns a Boolean value that indicates whether the item has attributes of a composite key. If these do not
  /// identify a record, they are values like others.
  func hasPartsOfKey(_ schema: Schema, _ entity: EntityIndex) -> Bool {
    guard case .attributes(let positions) = schema.entities[entity].key, positions.count > 1 else {
      return false
    }
    return positions.contains { tapeIndices[for: $0] != -1 }
  }
}

extension PathFinding {
  var isNull: Bool {
    if case .node(let node) = self { node.isNull } else { false }
  }
}
