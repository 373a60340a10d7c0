import RecordModel

/// The phase that ties protos to stored records by key. Rules: `population.fetch`, `population.associate`,
/// `request.detail`.
struct RecordTying: ~Copyable {
  private let population: Population
  private let report: PopulationReport
  private let schema: Schema
  private var result: PopulatedGraph

  static func run(
    _ settled: consuming SettledProtos, _ report: PopulationReport
  ) throws(StoreError) -> PopulatedGraph {
    try RecordTying(settled, report).result
  }

  private init(_ settled: consuming SettledProtos, _ report: PopulationReport) throws(StoreError) {
    population = report.population
    self.report = report
    schema = population.schema
    result = PopulatedGraph(settled, WorkingGraph(schema: schema, reader: population.reader))
    try fetchStored()
    try tieDetailRecord()
    reportMissingKeys()
  }

  /// Ties protos to the stored records with their keys, with one fetch for each key scope.
  private mutating func fetchStored() throws(StoreError) {
    // The groups, by key scope.
    var groups = Array(repeating: Group(), count: schema.entities.count)
    for index in result.protos.elementIndices where result.protos[index].isReachable {
      guard case .key(let scope, let key)? = result.protos[index].identity else { continue }
      groups[for: scope].keys.append(key)
      groups[for: scope].protos.append(index)
    }
    var changing: [PopulatedGraph.FoundRecord] = []
    for scope in schema.entities.elementIndices where !groups[for: scope].keys.isEmpty {
      let rows = try population.storedRows(scope: scope, keys: groups[for: scope].keys)
      result.graph.adopt(rows.lazy.compactMap(\.self))
      for (proto, row) in zip(groups[for: scope].protos, rows) {
        guard let row else { continue }
        result.tie(proto, to: row.id)
        if row.entity != result.protos[proto].entity { changing.append((row, proto)) }
      }
    }
    try result.adaptEntities(changing, report)
  }

  private struct Group {
    var keys: [RecordKey] = []
    var protos: [ProtoIndex] = []
  }

  /// Ties an item without identity to the record whose details were requested, because nothing else was requested. If
  /// the record has a key, the item already has the identity of the record, unless it has a part of another key. An item
  /// with a new key is tied to the record if the record receives the key.
  private mutating func tieDetailRecord() throws(StoreError) {
    guard let record = population.options.detailRecord, let root = result.summary.roots.first,
      result.protos[root].record == nil, let row = try result.graph.row(record)
    else { return }
    let isTied: Bool
    switch result.protos[root].identity {
    case .key: isTied = population.options.detailRecordReceivesKey
    case .onlyChild, .child: isTied = false
    case nil: isTied = row.key(in: schema) == nil
    }
    guard isTied else { return }
    result.tie(root, to: record)
    try result.adaptEntities([(row, root)], report)
    guard result.protos[root].identity == nil else { return }
    // Without an identity, the proto has no other items.
    report.addUnconvertibleKey(of: result.protos[root].effective, result.protos[root].missingKey)
    result.protos[root].missingKey = nil
  }

  // MARK: Missing keys

  /// Reports ``DiagnosticCode/missingPrimaryKey`` once for each item, or once for an entity if all its keys are missing
  /// for the same reason. Rule: `identity.missing`.
  private func reportMissingKeys() {
    var keylessByEntity: [EntityIndex: [ProtoIndex]] = [:]
    var counts = Array(repeating: 0, count: schema.entities.count)
    for index in result.protos.elementIndices where result.protos[index].isReachable {
      let entity = result.protos[index].entity
      counts[for: entity] += 1
      if result.protos[index].missingKey != nil { keylessByEntity[entity, default: []].append(index) }
    }
    guard !keylessByEntity.isEmpty else { return }
    let owners = owningRelationships()
    for (entity, keyless) in keylessByEntity.sorted(by: { $0.key < $1.key }) {
      let first = keyless[0]
      if keyless.count > 1, keyless.count == counts[for: entity],
        keyless.allSatisfy({ result.protos[$0].missingKey == result.protos[first].missingKey })
      {
        report.add(
          .missingPrimaryKey, entity: entity, at: result.protos[first].effective.item.node,
          "none of the \(keyless.count) items can be identified: \(explanation(of: result.protos[first], owners[first]))"
        )
        continue
      }
      for index in keyless {
        report.add(
          .missingPrimaryKey, entity: entity, at: result.protos[index].effective.item.node,
          explanation(of: result.protos[index], owners[index]))
      }
    }
  }

  /// Returns, for the items without a key in a list, the to-one relationship to their owner.
  private func owningRelationships() -> [ProtoIndex: RelationshipIndex] {
    var owners: [ProtoIndex: RelationshipIndex] = [:]
    for proto in result.protos {
      for children in proto.effective.children
      where schema.relationships[children.relationship].isInverseToOne {
        guard let inverse = schema.relationships[children.relationship].inverse else { continue }
        for child in children.protos where result.protos[child].missingKey == .absent {
          owners[child] = inverse
        }
      }
    }
    return owners
  }

  private func explanation(of proto: ProtoRecord, _ owner: RelationshipIndex?) -> String {
    switch proto.missingKey {
    case .unconvertible: "the key of the item has the wrong type: \(keyDescription(of: proto))"
    case .noParent: "the item has no parent, and the parent is its key"
    case .absent, nil: missingKeyDescription(of: proto, owner)
    }
  }

  /// Returns the missing values of the key, and the keys that the item has: the usual cause is an item at another level
  /// of the response.
  private func missingKeyDescription(of proto: ProtoRecord, _ owner: RelationshipIndex?) -> String {
    let members = proto.effective.item.node.members.prefix(7).map { "'\($0.key)'" }
    let found =
      members.isEmpty
      ? ""
      : "; its JSON keys are \(members.prefix(6).joined(separator: ", "))\(members.count > 6 ? ", …" : "")"
    let advice =
      advice(about: proto).map { "; the items are probably \($0)" }
      ?? owner.map {
        "; to identify such items by their owner: 'primaryKey: \(schema.relationships[$0].name)'"
      }
    return "the item has no primary key: \(keyDescription(of: proto))" + found + (advice ?? "")
  }

  /// Returns the location of the items, if an object around them has been taken for an item, and the key to write; nil
  /// for another item.
  private func advice(about proto: ProtoRecord) -> String? {
    let (item, entity) = (proto.effective.item.node, schema.entities[proto.entity])
    if item.pointer.tokens.isEmpty {
      guard let location = WrappedItems.location(in: item, of: entity, schema) else { return nil }
      let place = location.path.components.isEmpty ? "its values" : "at '\(location.path)'"
      return "\(place): '\(location.declaration)'"
    }
    return WrappedItems.dictionaryAttribute(of: item, entity, schema).map {
      "its values: 'keyedBy: \($0)' in the relationship"
    }
  }

  /// Returns the attributes of the key with their types, and the value of a single one in the item.
  private func keyDescription(of proto: ProtoRecord) -> String {
    let entity = schema.entities[proto.entity]
    guard case .attributes(let positions) = entity.key else { return "" }
    let types = positions.map { entity.attributes[$0] }.map { "'\($0.name)' is \($0.type.rawValue)" }
    guard positions.count == 1, entity.keyComputation == nil,
      let found = entity.attributes[positions[0]].paths.lazy.compactMap({
        $0.find(in: proto.effective.item.node)
      }).first
    else { return types.joined(separator: ", ") }
    return found.isNull ? "\(types[0]), and its value is null" : "\(types[0]), not \(found.excerpt)"
  }
}
