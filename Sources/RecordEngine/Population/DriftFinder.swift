import JSONTree
import OrderedCollections
import RecordModel

/// Compares the items of a response with what the model says of them. Rule: `diagnostics.drift`.
///
/// It goes its own way over the response, so that population knows nothing of it. The items are met first, and what some
/// path reads in them is marked; then each is asked what it has for its properties, and what it has besides. Linear in the
/// response, times the paths of an entity.
struct DriftFinder {
  private let schema: Schema
  private let document: JSONDocument
  private let entityChoice: EntityChoice
  private let responseKeyPath: MappingPath?
  private let injectsKeys: Bool
  /// By entity, the predicates of all its sub-entities.
  private let claims: [[RecordPredicate]]
  /// What is read of each value, by its place.
  private var readings: [Reading]
  private var items: [MetItem] = []
  /// The entities of the items that stand at a place: several, where a path is the item itself.
  private var entities: [Int32: [EntityIndex]] = [:]
  /// By entity.
  private var tallies: [DriftTally<Int32>]
  private var foundKeys: [Int32] = []

  private enum Reading: UInt8 {
    case none
    /// Some path goes on below it.
    case entered
    case whole
  }

  private struct MetItem {
    let item: Item
    let entity: EntityIndex
    let findings: ItemFindings
    /// Whether another item stands at its place that was met before.
    let isSecond: Bool
  }

  init(_ document: JSONDocument, _ schema: Schema, _ options: PopulationOptions) {
    self.schema = schema
    self.document = document
    entityChoice = EntityChoice(schema: schema, options.customisation)
    responseKeyPath = options.responseKeyPath
    injectsKeys = options.keyInjection != nil
    claims = schema.entities.map { ancestor in
      schema.entities.filter { $0.index != ancestor.index && schema.isKind($0.index, of: ancestor.index) }
        .compactMap(\.usedWhen)
    }
    readings = Array(repeating: .none, count: Int(document.index(after: 0)))
    tallies = schema.entities.map { DriftTally($0, schema) }
  }

  /// The report on a response.
  ///
  /// - Parameters:
  ///   - entity: whose items the response has.
  ///   - response: its address.
  ///   - metaData: what is read beside the items.
  mutating func report(entity: EntityIndex, response: String, metaData: MappingPath?) -> DriftReport {
    if let metaData, document.root.kind == .object { mark(metaData.components[...], document.root) }
    meetItems(entity)
    // The order of the response, whatever order they were met in.
    items.sort { ($0.item.node.index, $0.isSecond ? 1 : 0) < ($1.item.node.index, $1.isSecond ? 1 : 0) }
    for item in items {
      tally(item)
      if !item.isSecond, !keepsDictionary(item) { countUnused(in: item.item.node, [], item.entity) }
    }
    excuse()
    let tallies = tallies.filter(\.isOfUse)
    let pointers = document.pointers(of: tallies.flatMap(\.locations).map(document.node(at:)))
    return DriftReport(
      tallies.map { tally in
        tally.located { DriftLocation(response: response, pointer: pointers[$0] ?? JSONPointer()) }
      })
  }

  // MARK: Meeting

  private mutating func meetItems(_ entity: EntityIndex) {
    let path = responseKeyPath ?? schema.entities[entity].responseKeyPath
    guard let found = ResponseItems.find(in: document, at: path) else { return }
    var pending = Items(in: found, keyedBy: schema.entities[entity].responseKeyedBy).map { ($0, entity) }
    var next = 0
    while next < pending.count {
      let (item, declared) = pending[next]
      next += 1
      guard let met = meet(item, declared) else { continue }
      items.append(met)
      for (position, index) in schema.entities[met.entity].relationships.enumerated() {
        guard let finding = met.findings.relationship(position) else { continue }
        let relationship = schema.relationships[index]
        for item in Items(in: finding, keyedBy: relationship.keyedBy) {
          pending.append((item, relationship.destination))
        }
      }
    }
  }

  /// Marks what is read of an item. Nil if it becomes no record, or was met before.
  private mutating func meet(_ item: Item, _ declared: EntityIndex) -> MetItem? {
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
    return MetItem(
      item: item, entity: chosen,
      findings: ItemFindings(item, schema.entities, entity: chosen, found: &foundKeys),
      isSecond: !others.isEmpty)
  }

  private mutating func mark(_ predicate: RecordPredicate, _ node: JSONNode) {
    for path in predicate.keyPaths {
      let components = path.keys.map { $0 == "@count" ? MappingPath.Component.count : .key($0) }
      mark(components[...], node)
    }
  }

  /// Marks what a path reads from here. Where it can go no further, what is there stays unread, unless it is a null.
  private mutating func mark(_ path: ArraySlice<MappingPath.Component>, _ node: JSONNode) {
    let tapeIndex = Int(node.index)
    guard let component = path.first, !node.isNull else {
      readings[tapeIndex] = .whole
      return
    }
    switch (component, node.kind) {
    case (.count, .array), (.count, .object): readings[tapeIndex] = .whole
    case (.key(let key), .object):
      enter(tapeIndex)
      if let child = node[key] { mark(path.dropFirst(), child) }
    case (.key, .array):
      enter(tapeIndex)
      for element in node.elements { mark(path, element) }
    case (.index, .array), (.unionOfObjects, .array):
      enter(tapeIndex)
      for element in node.elements { mark(path.dropFirst(), element) }
    default: break
    }
  }

  private mutating func enter(_ tapeIndex: Int) {
    if readings[tapeIndex] == .none { readings[tapeIndex] = .entered }
  }

  // MARK: What an item has for its properties

  private mutating func tally(_ met: MetItem) {
    let entity = schema.entities[met.entity]
    tallies[for: met.entity].itemCount += 1
    for attribute in entity.attributes.elementIndices {
      guard let finding = met.findings.attribute(attribute) else { continue }
      // The key of a collection is a string whatever it stands for.
      let isCollectionKey = met.item.collectionKey?.attribute == attribute
      note(finding, ofProperty: attribute.rawValue, met, isOfKind: !isCollectionKey)
    }
    for (position, index) in entity.relationships.enumerated() {
      guard let finding = met.findings.relationship(position) else { continue }
      let property = entity.attributes.count + position
      note(finding, ofProperty: property, met, isOfKind: true)
      let relationship = schema.relationships[index]
      guard relationship.isToMany,
        finding.kind == .array || (relationship.keyedBy != nil && finding.kind == .object)
      else { continue }
      for element in Items(in: finding, keyedBy: relationship.keyedBy) where !element.node.isNull {
        tallies[for: met.entity].properties[property].elementKinds.note(
          element.node.kind, at: element.node.index)
      }
    }
  }

  private mutating func note(
    _ finding: PathFinding, ofProperty property: Int, _ met: MetItem, isOfKind: Bool
  ) {
    tallies[for: met.entity].properties[property].hasCome = true
    guard isOfKind, !finding.isNull else { return }
    var tapeIndex = met.item.node.index
    if case .node(let node) = finding { tapeIndex = node.index }
    tallies[for: met.entity].properties[property].kinds.note(finding.kind, at: tapeIndex)
  }

  /// Properties that need not be in the items.
  private mutating func excuse() {
    let come = Set(
      schema.entities.flatMap { entity in
        entity.relationships.enumerated().filter { position, _ in
          tallies[for: entity.index].properties[entity.attributes.count + position].hasCome
        }.map(\.element)
      })
    for entity in schema.entities {
      for (position, relationship) in entity.relationships.enumerated() {
        guard let inverse = schema.relationships[relationship].inverse, come.contains(inverse) else {
          continue
        }
        tallies[for: entity.index].properties[entity.attributes.count + position].hasCome = true
      }
      guard injectsKeys || entity.keyComputation != nil, tallies[for: entity.index].itemCount > 0,
        case .attributes(let positions) = entity.key, positions.count == 1
      else { continue }
      tallies[for: entity.index].properties[for: positions[0]].hasCome = true
    }
  }

  // MARK: What it has besides

  private func keepsDictionary(_ met: MetItem) -> Bool {
    (entities[met.item.node.index] ?? []).contains { schema.entities[$0].dictionaryAttribute != nil }
  }

  /// Counts the members below a value of an item that no path leads to.
  private mutating func countUnused(in node: JSONNode, _ keys: [String], _ entity: EntityIndex) {
    if node.kind == .array {
      for element in node.elements { countUnused(at: element, keys, entity) }
      return
    }
    // Of a key that stands twice the last one counts, as everywhere in a response.
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

// MARK: - What is expected

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
  /// The kinds of values that need no conversion; empty if any will do.
  fileprivate var expectedKinds: [JSONKind] {
    switch type {
    case .int16, .int32, .int64, .float, .double: [.number]
    // As text it keeps its digits whatever reads it.
    case .decimal: [.number, .string]
    case .boolean: [.boolean]
    case .date: dateFormat == nil ? [.number] : [.string]
    case .string, .binary, .uuid, .uri: [.string]
    case .transformable: []
    }
  }
}

extension SchemaEntity {
  /// What a bare key of the entity is.
  fileprivate var bareKeyKinds: [JSONKind] {
    guard case .attributes(let positions) = key, positions.count == 1 else { return [] }
    return attributes[positions[0]].expectedKinds
  }
}

extension PathFinding {
  /// What a list or a count becomes counts as what it is.
  fileprivate var kind: JSONKind {
    switch self {
    case .node(let node): node.kind
    case .list: .array
    case .count: .number
    }
  }
}
