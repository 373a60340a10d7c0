import JSONTree
import OrderedCollections
import RecordModel

extension ProvenanceRecorder {
  /// Returns the provenance of the records of a populated graph.
  ///
  /// - Parameter changes: the changes of the response.
  /// - Complexity: linear in the number of items and links.
  func provenance(
    of populated: borrowing PopulatedGraph, _ changes: ChangeSet, _ report: PopulationReport
  ) -> PopulationProvenance {
    let protos = populated.protos
    let derivation = ProvenanceDerivation(protos, self, report, deleted: Set(changes.deleted.map(\.id)))
    var result = PopulationProvenance(document: report.document, schema: report.population.schema)
    for index in protos.elementIndices {
      guard let recordIndex = protos[index].recordIndex, !protos[index].isTombstone,
        !populated.graph.records[recordIndex].isDeleted
      else { continue }
      let working = populated.graph.records[recordIndex]
      result.records.append(derivation.record(index, working))
    }
    result.deletions = deletions(in: populated, changes.deleted, report.population)
    return result
  }
}

/// The derivation of provenance from the protos of a response.
private struct ProvenanceDerivation {
  private let protos: [ProtoRecord]
  private let recorder: ProvenanceRecorder
  private let report: PopulationReport
  private let deleted: Set<RecordID>
  private let population: Population
  private let schema: Schema
  private let document: JSONDocument
  /// For each proto, the items that lead to it from other items, or from the list of the response.
  private var mentions: [ProtoIndex: [JSONNode]] = [:]
  /// For each end of a relationship, the statements of other records that set it.
  private var inverses: [RelationshipEnd: [RelationshipProvenance.Inverse]] = [:]

  init(
    _ protos: [ProtoRecord], _ recorder: ProvenanceRecorder, _ report: PopulationReport,
    deleted: Set<RecordID>
  ) {
    self.protos = protos
    self.recorder = recorder
    self.report = report
    self.deleted = deleted
    population = report.population
    schema = population.schema
    document = report.document
    for (node, proto) in recorder.roots { mentions[proto, default: []].append(node) }
    for index in protos.elementIndices {
      let proto = protos[index]
      for appearance in recorder.appearances(of: index, proto) {
        for link in appearance.children.flatMap(\.links) {
          if let node = report.node(at: link.position) { mentions[link.proto, default: []].append(node) }
        }
      }
      guard let owner = proto.record, !proto.isTombstone else { continue }
      for children in proto.effective.children {
        for link in children.links {
          noteInverse(
            children.relationship, owner, protos[link.proto].record,
            position(of: link, in: proto, recorder.appearances(of: index, proto)))
        }
      }
      if let parent = proto.parent, let key = population.keyRelationship(of: proto.entity) {
        noteInverse(key, owner, protos[parent].record, responseNode(proto.effective.item.node))
      }
    }
  }

  /// Returns the position of a link; that of an item of the record if a hook has made the link.
  private func position(
    of link: Appearance.Reference, in proto: ProtoRecord, _ appearances: [Appearance]
  ) -> JSONNode? {
    report.node(at: link.position).flatMap(responseNode)
      ?? appearances.lazy.compactMap { responseNode($0.item.node) }.first
  }

  private mutating func noteInverse(
    _ relationship: RelationshipIndex, _ owner: RecordID, _ target: RecordID?, _ position: JSONNode?
  ) {
    guard let inverse = schema.relationships[relationship].inverse, let target else { return }
    inverses[RelationshipEnd(relationship: inverse, owner: target), default: []].append(
      RelationshipProvenance.Inverse(
        owner: owner, name: schema.relationships[relationship].name, position: position))
  }

  func record(_ index: ProtoIndex, _ working: WorkingGraph.WorkingRecord) -> RecordProvenance {
    let proto = protos[index]
    let appearances = recorder.appearances(of: index, proto)
    return RecordProvenance(
      record: working.row.id, entity: schema.entities[working.row.entity].name,
      finding: finding(of: index, working), key: key(of: proto, appearances[0]),
      items: items(of: index, appearances), isUnmodified: recorder.unmodified.contains(index),
      attributes: attributes(of: index, appearances, working.row.id),
      relationships: relationships(of: proto, appearances, working.row.id))
  }

  // MARK: Identity

  private func finding(
    of index: ProtoIndex, _ working: WorkingGraph.WorkingRecord
  ) -> RecordProvenance.Finding {
    if working.isNew { return protos[index].effective.isFull ? .created : .stub }
    if recorder.chosenChildren.contains(index) { return .chosenChild }
    switch protos[index].identity {
    case .key(_, let key):
      // A record with another key receives that of its item.
      return protos[index].isDetail || working.stored?.key(in: schema) != key ? .detail : .fetched
    case .onlyChild: return .onlyChild
    case .child: return .matchingChild
    case nil: return .detail
    }
  }

  private func key(of proto: ProtoRecord, _ first: Appearance) -> RecordProvenance.Key {
    switch proto.identity {
    case .key where proto.isDetail: return .none
    case .key:
      guard case .attributes(let positions) = schema.entities[proto.entity].key else { return .none }
      let names = positions.map { schema.entities[proto.entity].attributes[$0].name }
      if AttributeKey.computed(for: first, population) != nil { return .computed(names[0]) }
      let isOwn = (try? AttributeKey.find(of: first, positions, population)) != nil
      if isOwn { return .attributes(names) }
      let missing = positions.firstIndex { AttributeKey.finding(of: $0, in: first, population) == nil }
      return .injected(names[missing ?? 0])
    case .onlyChild(let parent, let relationship), .child(let parent, let relationship, _):
      // An item that names another parent than the enclosing one has no link to it.
      let isNamed = first.children.contains { $0.relationship == relationship && !$0.links.isEmpty }
      return .parent(protos[parent].record, schema.relationships[relationship].name, isNamed: isNamed)
    case nil: return .none
    }
  }

  // MARK: Items

  private func items(of index: ProtoIndex, _ appearances: [Appearance]) -> [ItemProvenance] {
    let effective = protos[index].effective
    let isMergedByHook = !appearances.contains { $0 === effective }
    let merged = Set(effective.mergedItems.map(\.node.index))
    var items: OrderedDictionary<Int32, ItemProvenance> = [:]
    for appearance in appearances where appearance.item.node.document === document {
      let node = appearance.item.node
      let role: ItemProvenance.Role =
        if appearance === effective {
          appearance.isFull ? .effective : .reference
        } else if !appearance.isFull {
          .reference
        } else if isMergedByHook {
          .mergedByHook
        } else {
          merged.contains(node.index) ? .merged : .superseded
        }
      items[node.index] = ItemProvenance(node: node, role: role)
    }
    for node in mentions[index] ?? [] where node.document === document && items[node.index] == nil {
      let isRepeated = node.kind == .object && effective.isFull
      items[node.index] = ItemProvenance(node: node, role: isRepeated ? .repeated : .reference)
    }
    return items.values.sorted { $0.node.index < $1.node.index }
  }

  // MARK: Attributes

  private func attributes(
    of index: ProtoIndex, _ appearances: [Appearance], _ record: RecordID
  ) -> [AttributeProvenance] {
    let proto = protos[index]
    let entity = schema.entities[proto.entity]
    let candidates = appearances.filter(\.isFull).map { Candidate($0, schema) }
    let identifying: [AttributeIndex] =
      if proto.identity != nil, case .attributes(let positions) = entity.key { positions } else { [] }
    return entity.attributes.elementIndices.map { position in
      let attribute = entity.attributes[position]
      let isKey = identifying.contains(position)
      var value = value(of: position, in: proto, candidates, isKey: isKey)
      var effect = effect(on: position, isKey: isKey, of: index)
      if case .found(let json)? = recorder.decisions[index]?[position] {
        value = ValueProvenance(
          origin: .marshaler, node: JSONDocument(json).root, path: nil,
          position: responseNode(proto.effective.item.node))
      }
      let isSet = [.set, .cleared, .setToDefault, .identified].contains(effect)
      if recorder.isSetByMarshaler(attribute.name, of: record, isSetByItem: isSet) {
        effect = .setByMarshaler
      }
      return AttributeProvenance(
        name: attribute.name, paths: attribute.paths, effect: effect, value: value,
        superseded: isKey ? [] : superseded(position, value, candidates))
    }
  }

  private func effect(
    on position: AttributeIndex, isKey: Bool, of index: ProtoIndex
  ) -> AttributeProvenance.Effect {
    let proto = protos[index]
    if isKey { return proto.isDetail ? detailKeyEffect(on: position, of: proto) : .identified }
    if !proto.effective.isFull { return .notInReference }
    if recorder.unmodified.contains(index) { return .unmodified }
    let entity = schema.entities[proto.entity]
    var finding = proto.effective.findings.attribute(position)
    switch recorder.decisions[index]?[position] {
    case .leave: return .leftByMarshaler
    case .value(let value):
      guard let value, value != .json(.null) else { return .setByMarshaler }
      return value.storable(as: entity.attributes[position].type) == nil
        ? .refusedFromMarshaler : .setByMarshaler
    case .found(let json): finding = .node(JSONDocument(json).root)
    case .standard, nil: break
    }
    guard let finding else { return entity.dictionaryAttribute == position ? .setToDictionary : .absent }
    switch AttributeEffect(of: finding, on: position, of: entity, population) {
    case .none: return .keptOverNull
    // A value that cannot be converted leaves the record without a key.
    case .set(nil): return !finding.isNull && entity.key.contains(position) ? .unconvertible : .cleared
    case .set: return finding.isNull ? .setToDefault : .set
    case .nullForRequired: return .nullForRequired
    case .unconvertible: return .unconvertible
    case .wrongAnswer: return .refusedFromMarshaler
    }
  }

  /// Returns the effect of the effective item of a requested record on an attribute of the key. The first item of the
  /// record has no key, but another one can have it. Rule: `request.detail`.
  private func detailKeyEffect(
    on position: AttributeIndex, of proto: ProtoRecord
  ) -> AttributeProvenance.Effect {
    let item = proto.effective
    let entity = schema.entities[item.entity]
    if case .key(_, let key)? = proto.identity, case .attributes(let positions) = entity.key,
      (try? AttributeKey.find(of: item, positions, population)) == key
    {
      return .identified
    }
    guard let finding = AttributeKey.finding(of: position, in: item, population) else { return .absent }
    let value = population.convert(finding.node, to: entity.attributes[position], of: item.entity)
    return value == nil ? .unconvertible : .unusedKey
  }

  /// An item of a record, with the values that it has itself.
  private struct Candidate {
    let appearance: Appearance
    let findings: ItemFindings

    init(_ appearance: Appearance, _ schema: Schema) {
      self.appearance = appearance
      var found: [Int32] = []
      // Merging changes the findings of an appearance, so they are determined anew.
      findings = ItemFindings(appearance.item, schema.entities, entity: appearance.entity, found: &found)
    }

    func attribute(_ position: AttributeIndex, _ schema: Schema) -> PathFinding? {
      let isDeclared = position.rawValue < schema.entities[appearance.entity].attributes.count
      return isDeclared ? findings.attribute(position) : nil
    }
  }

  private func value(
    of position: AttributeIndex, in proto: ProtoRecord, _ candidates: [Candidate], isKey: Bool
  ) -> ValueProvenance? {
    let effective = proto.effective
    guard position.rawValue < schema.entities[effective.entity].attributes.count else { return nil }
    let attribute = schema.entities[effective.entity].attributes[position]
    guard var finding = effective.findings.attribute(position) else { return nil }
    if isKey, finding.isNull {
      finding = ItemFindings.key(attribute, in: effective.item.node) ?? finding
    }
    if effective.findings.document !== effective.item.node.document {
      return ValueProvenance(
        origin: .prePopulation, node: finding.node, path: path(attribute, finding, effective.findings.node),
        position: responseNode(effective.item.node) ?? firstNode(candidates))
    }
    // Search the effective item first, because other items can have equal gathered values.
    let searched = candidates.filter { $0.appearance === effective } + candidates
    let source =
      searched.first { $0.attribute(position, schema).map { isSame($0, finding) } ?? false }?.appearance
      ?? effective
    return provenance(of: finding, attribute, in: source.item, candidates)
  }

  private func superseded(
    _ position: AttributeIndex, _ value: ValueProvenance?, _ candidates: [Candidate]
  ) -> [ValueProvenance] {
    guard candidates.count > 1 else { return [] }
    return candidates.compactMap { candidate in
      guard let finding = candidate.attribute(position, schema) else { return nil }
      let attribute = schema.entities[candidate.appearance.entity].attributes[position]
      let found = provenance(of: finding, attribute, in: candidate.appearance.item, candidates)
      if let value, found.position?.index == value.position?.index { return nil }
      return found
    }
  }

  private func provenance(
    of finding: PathFinding, _ attribute: SchemaAttribute, in item: Item, _ candidates: [Candidate]
  ) -> ValueProvenance {
    let node = finding.node
    if let key = item.collectionKey, key.node.document === node.document {
      return ValueProvenance(
        origin: .collectionKey, node: node, path: nil, position: responseNode(item.node))
    }
    guard item.isDictionary else {
      return ValueProvenance(
        origin: .scalarItem, node: node, path: nil, position: responseNode(item.node))
    }
    let path = path(attribute, finding, item.node)
    guard item.node.document === document else {
      return ValueProvenance(
        origin: .mergedDictionary, node: node, path: path, position: firstNode(candidates))
    }
    guard case .node(let node) = finding else {
      return ValueProvenance(
        origin: .gathered, node: node, path: path, position: path.map { container(of: $0, in: item.node) })
    }
    return ValueProvenance(origin: .item, node: node, path: path, position: responseNode(node))
  }

  /// Returns the path of an attribute or a relationship that was present in an item.
  private func path(_ attribute: SchemaAttribute, _ finding: PathFinding, _ item: JSONNode) -> MappingPath? {
    attribute.paths.first { path in path.find(in: item).map { isSame($0, finding) } ?? false }
  }

  private func isSame(_ left: PathFinding, _ right: PathFinding) -> Bool {
    if case .node(let left) = left, case .node(let right) = right {
      return left.index == right.index && left.document === right.document
    }
    if case .node = left { return false }
    if case .node = right { return false }
    return left.node.value == right.node.value
  }

  /// Returns the container from which a path gathers or counts values: the last value to which a single path leads.
  private func container(of path: MappingPath, in item: JSONNode) -> JSONNode {
    var node = item
    for component in path.components {
      switch component {
      case .key(let key):
        guard let child = node[key] else { return node }
        node = child
      case .index(let index):
        guard let child = node[MappingPath.Component.position(ofIndex: index, among: node.count)] else {
          return node
        }
        node = child
      case .first, .count, .unionOfObjects, .around: return node
      }
    }
    return node
  }

  /// Returns a node if it is part of the response.
  private func responseNode(_ node: JSONNode) -> JSONNode? { node.document === document ? node : nil }

  private func firstNode(_ candidates: [Candidate]) -> JSONNode? {
    candidates.lazy.compactMap { responseNode($0.appearance.item.node) }.first
  }

  // MARK: Relationships

  private func relationships(
    of proto: ProtoRecord, _ appearances: [Appearance], _ record: RecordID
  ) -> [RelationshipProvenance] {
    let item = proto.effective.item.node
    return schema.entities[proto.entity].relationships.compactMap { index in
      let relationship = schema.relationships[index]
      let children = proto.effective.children.first { $0.relationship == index }
      let inverses = inverses[RelationshipEnd(relationship: index, owner: record)] ?? []
      let isKey = population.keyRelationship(of: proto.entity) == index
      let parent = isKey ? proto.parent.flatMap { protos[$0].record } : nil
      if children == nil, inverses.isEmpty, parent == nil { return nil }
      let path = item.kind == .object ? relationship.paths.first { $0.find(in: item) != nil } : nil
      return RelationshipProvenance(
        name: relationship.name, paths: relationship.paths, path: path,
        position: children.flatMap { report.node(at: $0.position) }.flatMap(responseNode),
        isNull: children?.isNull ?? false,
        links: (children?.links ?? []).map { link in
          RelationshipProvenance.Link(
            position: position(of: link, in: proto, appearances),
            record: protos[link.proto].record.flatMap { deleted.contains($0) ? nil : $0 })
        }, parent: parent, inverses: inverses)
    }
  }
}
