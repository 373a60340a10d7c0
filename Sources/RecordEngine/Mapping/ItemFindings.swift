import JSONTree
import RecordModel

/// What an item has for the properties of its entity, looked up once.
struct ItemFindings: Sendable {
  /// The document of the item.
  let document: JSONDocument
  /// Where the item stands in it.
  private let tapeIndex: Int32
  private let attributeCount: Int
  /// The places in the document of what was found for the attributes, then for the relationships, by position: -1 where
  /// no path is present; below that, counted backwards from -2, what stands in ``others``.
  private var tapeIndices: [Int32]
  /// What is no value of the document.
  private var others: [PathFinding] = []

  /// - Parameter found: room to work in, for the next item to use again.
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
    if let key = item.collectionKey { setAttribute(key.attribute, .node(key.node)) }
  }

  /// The first path that is present decides, null included. Rule: `mapping.first-match`.
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

  /// The first path that is present and not null: a key is looked for past nulls. Rule: `identity.key-path`.
  static func key(_ attribute: SchemaAttribute, in node: JSONNode) -> PathFinding? {
    for path in attribute.paths {
      if let finding = path.find(in: node), !finding.isNull { return finding }
    }
    return nil
  }
}

extension ItemFindings {
  /// By position in `SchemaEntity.attributes`; nil where no path is present.
  func attribute(_ index: AttributeIndex) -> PathFinding? { finding(tapeIndices[for: index]) }

  /// By position in `SchemaEntity.relationships`.
  func relationship(_ position: Int) -> PathFinding? { finding(tapeIndices[attributeCount + position]) }

  /// The item that was looked through.
  var node: JSONNode { document.node(at: tapeIndex) }

  /// The place in ``document`` of what was found for an attribute; negative where nothing was, or it stands elsewhere.
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

  /// Whether there is a mapped property besides the key: what makes an item more than a stub.
  func isFull(_ schema: Schema, _ entity: EntityIndex) -> Bool {
    // The dictionary itself is a property then. Rule: `dynamic.store`.
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
  /// Whether there are attributes of a key of several, which are values like others where they identify nobody.
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
