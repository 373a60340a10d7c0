import JSONTree
import OrderedCollections
import RecordModel

/// A comparison of the items of a response with the model. Rule: `diagnostics.drift`.
///
/// The finder traverses the response on its own, so population does not depend on it. It first finds the items and
/// marks the values that a path reads. It then collects the values that each item has for its properties, and the
/// unused ones. The time is linear in the size of the response times the number of paths of an entity.
struct DriftFinder {
  private let schema: Schema
  private let document: JSONDocument
  private let entityChoice: EntityChoice
  private let responseKeyPath: MappingPath?
  private let injectsKeys: Bool
  /// For each entity, the predicates of all its sub-entities.
  private let claims: [[RecordPredicate]]
  /// For each value of the document, how much of it is read.
  private var readings: [Reading]
  private var items: [FoundItem] = []
  /// The entities of the items at each index. There are several if a path leads to the item itself.
  private var entities: [Int32: [EntityIndex]] = [:]
  /// The tally of each entity.
  private var tallies: [DriftTally<Int32>]
  private var foundKeys: [Int32] = []

  private enum Reading: UInt8 {
    case none
    /// A path leads to a value inside this one.
    case entered
    case whole
  }

  private struct FoundItem {
    let item: Item
    let entity: EntityIndex
    let findings: ItemFindings
    /// A Boolean value that indicates whether another item has been found at the same index before.
    let isSecond: Bool
  }

  init(_ document: JSONDocument, _ schema: Schema, _ options: PopulationOptions) {
    self.schema = schema
    self.document = document
    entityChoice = EntityChoice(schema: schema, options.customization)
    responseKeyPath = options.responseKeyPath
    injectsKeys = options.keyInjection != nil
    let claiming = schema.entities.filter { $0.usedWhen != nil }
    claims = schema.entities.map { ancestor in
      claiming.filter { $0.index != ancestor.index && schema.isKind($0.index, of: ancestor.index) }
        .compactMap(\.usedWhen)
    }
    readings = Array(repeating: .none, count: Int(document.index(after: 0)))
    tallies = schema.entities.map { DriftTally($0, schema) }
  }

  /// Returns the report on a response.
  ///
  /// - Parameters:
  ///   - entity: the entity of the items of the response.
  ///   - response: the address of the response.
  ///   - mark: the mark by which the server recognizes the response.
  ///   - metaData: the path of the metadata, which is read in addition to the items.
  mutating func report(entity: EntityIndex, response: String, mark: Int?, metaData: MappingPath?)
    -> DriftReport
  {
    if let metaData, document.root.kind == .object { self.mark(metaData.components[...], document.root) }
    findItems(entity)
    // Restore the order of the response, because items are found breadth first.
    items.sort { $0.item.node.index < $1.item.node.index }
    for item in items {
      tally(item)
      if !item.isSecond, !keepsDictionary(item) { countUnused(in: item.item.node, [], item.entity) }
    }
    excuse()
    for index in tallies.indices {
      let entity = tallies[index].index
      tallies[index].unused.removeAll { path, _ in schema.ignores(path, of: entity) }
    }
    let tallies = tallies.filter(\.isOfUse)
    let pointers = document.pointers(of: tallies.flatMap(\.locations).map(document.node(at:)))
    return DriftReport(
      tallies.map { tally in
        tally.located {
          DriftLocation(response: response, pointer: pointers[$0] ?? JSONPointer(), mark: mark)
        }
      })
  }

  // MARK: Finding items

  private mutating func findItems(_ entity: EntityIndex) {
    let path = responseKeyPath ?? schema.entities[entity].responseKeyPath
    guard let found = ResponseItems.find(in: document, at: path) else { return }
    var pending = Items(in: found, keyedBy: schema.entities[entity].responseKeyedBy).map { ($0, entity) }
    pending += entityChoice.sideloadedItems(of: entity, in: document).map { ($0.item, $0.declared) }
    if let path = schema.entities[entity].deletedKeyPath, document.root.kind == .object {
      mark(path.components[...], document.root)
    }
    var next = 0
    while next < pending.count {
      let (item, declared) = pending[next]
      next += 1
      guard let foundItem = read(item, declared) else { continue }
      items.append(foundItem)
      for (position, index) in schema.entities[foundItem.entity].relationships.enumerated() {
        guard let finding = foundItem.findings.relationship(position) else { continue }
        let relationship = schema.relationships[index]
        for item in Items(in: finding, keyedBy: relationship.keyedBy) {
          pending.append((item, relationship.destination))
        }
      }
    }
  }

  /// Marks the values that an item reads. Returns nil if the item becomes no record, or has been found before.
  private mutating func read(_ item: Item, _ declared: EntityIndex) -> FoundItem? {
    guard item.isDictionary else { return nil }
    let chosen = entityChoice.entity(claiming: item, declared: declared)
    for claim in claims[for: declared] { mark(claim, item.node) }
    let entity = schema.entities[chosen]
    if let deletion = entity.deletedWhen { mark(deletion, item.node) }
    if entity.isAbstract || entityChoice.isTombstone(item, of: chosen) { return nil }
    let others = entities[item.node.index] ?? []
    if others.contains(chosen) { return nil }
    entities[item.node.index] = others + [chosen]
    for attribute in entity.attributes {
      for path in attribute.paths { mark(path.components[...], item.node) }
    }
    for relationship in entity.relationships {
      for path in schema.relationships[relationship].paths { mark(path.components[...], item.node) }
    }
    return FoundItem(
      item: item, entity: chosen,
      findings: ItemFindings(item, schema.entities, entity: chosen, found: &foundKeys),
      isSecond: !others.isEmpty)
  }

  private mutating func mark(_ predicate: RecordPredicate, _ node: JSONNode) {
    for path in predicate.keyPaths {
      let components = path.keys.map { key in
        MappingPath.Place(rawValue: key).map(MappingPath.Component.around)
          ?? (key == "@count" ? .count : .key(key))
      }
      mark(components[...], node)
    }
  }

  /// Marks the values that a path reads. If the path cannot continue at a value, the value remains unread unless it is
  /// null.
  private mutating func mark(_ path: ArraySlice<MappingPath.Component>, _ node: JSONNode) {
    let tapeIndex = Int(node.index)
    guard let component = path.first, !node.isNull else {
      readings[tapeIndex] = .whole
      return
    }
    switch (component, node.kind) {
    case (.around(.parent), _):
      if let parent = node.enclosingObject, parent.document === document { mark(path.dropFirst(), parent) }
    case (.around(.root), _): mark(path.dropFirst(), document.root)
    case (.count, .array), (.count, .object): readings[tapeIndex] = .whole
    case (.key(let key), .object):
      enter(tapeIndex)
      if let child = node[key] { mark(path.dropFirst(), child) }
    case (.key, .array):
      enter(tapeIndex)
      for element in node.elements { mark(path, element) }
    case (.index, .array), (.first, .array), (.unionOfObjects, .array):
      enter(tapeIndex)
      for element in node.elements { mark(path.dropFirst(), element) }
    default: break
    }
  }

  private mutating func enter(_ tapeIndex: Int) {
    if readings[tapeIndex] == .none { readings[tapeIndex] = .entered }
  }

  // MARK: Mapped properties

  private mutating func tally(_ foundItem: FoundItem) {
    let entity = schema.entities[foundItem.entity]
    tallies[for: foundItem.entity].itemCount += 1
    for attribute in entity.attributes.elementIndices {
      guard let finding = foundItem.findings.attribute(attribute) else { continue }
      // The key of a keyed collection is always a string, whatever the type of its attribute.
      let isCollectionKey = foundItem.item.collectionKey?.attribute == attribute
      note(finding, ofProperty: attribute.rawValue, foundItem, isOfKind: !isCollectionKey)
    }
    for (position, index) in entity.relationships.enumerated() {
      guard let finding = foundItem.findings.relationship(position) else { continue }
      let property = entity.attributes.count + position
      note(finding, ofProperty: property, foundItem, isOfKind: true)
      let relationship = schema.relationships[index]
      guard relationship.isToMany,
        finding.kind == .array || (relationship.keyedBy != nil && finding.kind == .object)
      else { continue }
      for element in Items(in: finding, keyedBy: relationship.keyedBy) where !element.node.isNull {
        tallies[for: foundItem.entity].properties[property].elementKinds.note(
          element.node.kind, at: element.node.index)
      }
    }
  }

  private mutating func note(
    _ finding: PathFinding, ofProperty property: Int, _ foundItem: FoundItem, isOfKind: Bool
  ) {
    tallies[for: foundItem.entity].properties[property].hasCome = true
    tallies[for: foundItem.entity].properties[property].isSent = true
    guard isOfKind, !finding.isNull else { return }
    var tapeIndex = foundItem.item.node.index
    if case .node(let node) = finding { tapeIndex = node.index }
    tallies[for: foundItem.entity].properties[property].kinds.note(finding.kind, at: tapeIndex)
  }

  /// Marks properties as present that items need not contain: relationships whose inverse is present or fills them, and
  /// keys that are computed or injected.
  private mutating func excuse() {
    let come = Set(
      schema.entities.flatMap { entity in
        entity.relationships.enumerated().filter { position, _ in
          tallies[for: entity.index].properties[entity.attributes.count + position].hasCome
        }.map(\.element)
      })
    for entity in schema.entities {
      for (position, relationship) in entity.relationships.enumerated() {
        let isExcused = schema.relationships[relationship].inverse.map(come.contains) ?? false
        guard isExcused || schema.isFilledFromInverse(relationship) else { continue }
        tallies[for: entity.index].properties[entity.attributes.count + position].hasCome = true
      }
      guard injectsKeys || entity.keyComputation != nil, tallies[for: entity.index].itemCount > 0,
        case .attributes(let positions) = entity.key, injectsKeys || positions.count == 1
      else { continue }
      for position in positions { tallies[for: entity.index].properties[for: position].hasCome = true }
    }
  }

  // MARK: Unused members

  private func keepsDictionary(_ foundItem: FoundItem) -> Bool {
    (entities[foundItem.item.node.index] ?? []).contains { schema.entities[$0].dictionaryAttribute != nil }
  }

  /// Counts the members of a value, at any depth, that no path leads to.
  private mutating func countUnused(in node: JSONNode, _ keys: [String], _ entity: EntityIndex) {
    if node.kind == .array {
      for element in node.elements { countUnused(at: element, keys, entity) }
      return
    }
    // If an object has a key twice, the last one counts, as everywhere in a response.
    var members: OrderedDictionary<ScalarString, JSONNode> = [:]
    for (key, child) in node.members { members[ScalarString(key)] = child }
    for (key, child) in members { countUnused(at: child, keys + [key.string], entity) }
  }

  private mutating func countUnused(at child: JSONNode, _ keys: [String], _ entity: EntityIndex) {
    switch readings[Int(child.index)] {
    case .whole: return
    case .entered: countUnused(in: child, keys, entity)
    case .none:
      let path = MappingPath(keys: keys)
      tallies[for: entity].unused[path, default: Occurrences(first: child.index)].count += 1
    }
  }
}

// MARK: - Expected kinds

extension DriftTally {
  fileprivate init(_ entity: SchemaEntity, _ schema: Schema) {
    self.init(
      index: entity.index, entity: entity.name,
      properties: entity.attributes.map { attribute in
        PropertyTally(
          name: attribute.name, paths: attribute.paths, kinds: KindTally(expected: attribute.expectedKinds),
          elementKinds: KindTally(expected: []))
      }
        + entity.relationships.map { index in
          let relationship = schema.relationships[index]
          let item = [.object] + schema.entities[relationship.destination].bareKeyKinds
          return PropertyTally(
            name: relationship.name, paths: relationship.paths,
            kinds: KindTally(
              expected: relationship.keyedBy != nil
                ? [.object] : relationship.isToMany ? [.array] : item),
            elementKinds: KindTally(expected: item))
        })
  }
}

extension SchemaAttribute {
  /// The kinds of values that need no conversion; empty if all kinds are expected.
  fileprivate var expectedKinds: [JSONKind] {
    switch type {
    case .int16, .int32, .int64, .float, .double: [.number]
    // A decimal in a string keeps all its digits in every JSON parser.
    case .decimal: [.number, .string]
    case .boolean: [.boolean]
    case .date: kindsOfDates
    case .string, .binary, .uuid, .uri: [.string]
    case .transformable: []
    }
  }
}

extension SchemaEntity {
  /// The kinds of values that can stand for a record by key alone.
  fileprivate var bareKeyKinds: [JSONKind] {
    guard case .attributes(let positions) = key, positions.count == 1 else { return [] }
    return attributes[positions[0]].expectedKinds
  }
}

extension Schema {
  /// Returns a Boolean value that indicates whether a relationship is probably filled from its inverse only: it is the
  /// to-many side of a to-one, and the model declares nothing that only a list in items could have.
  /// Rule: `diagnostics.drift-inverse`.
  fileprivate func isFilledFromInverse(_ index: RelationshipIndex) -> Bool {
    let relationship = relationships[index]
    guard relationship.isToMany, relationship.isInverseToOne, let inverse = relationship.inverse,
      relationship.keyedBy == nil, relationship.assignment == .union,
      relationship.paths == [MappingPath(keys: [relationship.name.rawValue])]
    else { return false }
    // A record that is keyed by its parent is only found in an item of the parent.
    return entities[relationship.destination].key != .relationship(inverse)
  }
}

extension PathFinding {
  /// The kind of a finding. A gathered list counts as an array, and a count as a number.
  fileprivate var kind: JSONKind {
    switch self {
    case .node(let node): node.kind
    case .list: .array
    case .count: .number
    }
  }
}
