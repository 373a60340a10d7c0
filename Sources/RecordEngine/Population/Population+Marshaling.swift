import JSONTree
import RecordModel

/// Entities with marshalers are populated as these say. Rules: `customise.*`.
extension Population {
  /// The dictionary that attributes are read from: the item's, or what a hook has made of it.
  func dictionary(of proto: Int, _ findings: ItemFindings) -> JSONNode {
    let item = protos[proto].effective.item
    let isItem = findings.document === item.node.document
    return isItem ? item.dictionary(of: schema.entities[protos[proto].entity]) : findings.node
  }

  // MARK: Relationships

  /// Asks what each relationship becomes, and changes what the item has for it. Rule: `customise.relationship`.
  mutating func marshalLinks(of proto: Int, key: RelationshipIndex?, _ marshaler: any Marshaler) {
    let entity = protos[proto].entity
    guard let record = populated(proto) else { return }
    for relationship in schema.entities[entity].relationships where relationship != key {
      let known = protos[proto].effective.children.first { $0.relationship == relationship }
      var linked: [(link: ProtoRecord.Link, record: PopulatedRecord)] = []
      for link in known?.links ?? [] {
        if linkable(link, relationship, entity) != nil, let target = populated(link.proto) {
          linked.append((link, target))
        }
      }
      var children =
        known
        ?? ProtoRecord.Children(relationship: relationship, node: record.dictionary.map { place(of: $0) })
      switch marshaler.relationship(
        schema.relationships[relationship].name, of: record, links: known.map { _ in linked.map(\.record) })
      {
      case .standard:
        // What cannot be linked has been reported.
        if known == nil || linked.count == children.links.count { continue }
        children.links = linked.map(\.link)
      case .leave:
        protos[proto].effective.children.removeAll { $0.relationship == relationship }
        continue
      case .link(let records):
        children.links = links(to: records, linked)
        children.isNull = false
      case .replace(let records):
        children.links = links(to: records, linked)
        children.isNull = records.isEmpty && !schema.relationships[relationship].isToMany
        children.replaces = true
      }
      set(children, of: proto)
    }
  }

  private func links(
    to records: [PopulatedRecord], _ linked: [(link: ProtoRecord.Link, record: PopulatedRecord)]
  ) -> [ProtoRecord.Link] {
    let links = Dictionary(
      linked.map { ($0.record.recordID, $0.link) }, uniquingKeysWith: { first, _ in first })
    return records.compactMap { links[$0.recordID] }
  }

  private func set(_ children: ProtoRecord.Children, of proto: Int) {
    let all = protos[proto].effective.children
    if let index = all.firstIndex(where: { $0.relationship == children.relationship }) {
      protos[proto].effective.children[index] = children
    } else {
      protos[proto].effective.children.append(children)
    }
  }

  /// A record of the response as marshalers see it; nil if there is none, or it is deleted.
  private func populated(_ proto: Int) -> PopulatedRecord? {
    guard let id = protos[proto].record, let row = graph.knownRow(id) else { return nil }
    return PopulatedRecord(
      row, dictionary: dictionary(of: proto, protos[proto].effective.findings), isNew: graph.isNew(id),
      schema: schema)
  }

  // MARK: Children

  /// Asks which stored child of its parent an item is; nil for the one that the rules find.
  /// Rule: `customise.relationship-key`.
  func childAnswer(_ proto: Int, among children: [PopulatedRecord]) -> ChildAnswer? {
    guard let marshaler = options.customisation.marshaler(of: protos[proto].entity),
      let parent = protos[proto].parent.flatMap({ stored(protos[$0].record) })
    else { return nil }
    let item = dictionary(of: proto, protos[proto].effective.findings)
    let answer = marshaler.child(item, of: parent, among: children)
    if case .standard = answer { return nil }
    return answer
  }

  /// A record as the store has it.
  func stored(_ id: RecordID?) -> PopulatedRecord? {
    id.flatMap { graph.storedRow($0) }.map {
      PopulatedRecord($0, dictionary: nil, isNew: false, schema: schema)
    }
  }

  // MARK: Before and after

  /// Tells marshalers that all records have been populated. Rule: `customise.around`.
  mutating func tellPopulated() throws(StoreError) {
    for index in protos.indices {
      let place = protos[index].place
      guard place >= 0, !graph.records[place].isDeleted,
        let marshaler = options.customisation.marshaler(of: protos[index].entity)
      else { continue }
      try tell(index, place) { marshaler.didPopulate($0) }
    }
  }

  /// Hands a record to a marshaler, which may change it for as long as it is asked.
  mutating func tell(_ proto: Int, _ place: Int, _ body: (PopulatingRecord) -> Void) throws(StoreError) {
    let row = graph.records[place].row
    let access = graphAccess ?? GraphAccess(schema: schema, reader: graph.reader)
    graphAccess = access
    access.current = row.id
    swap(&graph, &access.graph)
    body(
      PopulatingRecord(
        row.id, entity: schema.entities[row.entity].name,
        dictionary: dictionary(of: proto, protos[proto].effective.findings),
        isNew: access.graph.isNew(row.id), in: access))
    swap(&graph, &access.graph)
    access.current = nil
    for name in access.refused {
      report(
        .valueType, entity: row.entity, property: name, at: protos[proto].effective.item.node,
        "what the marshaler set is not of the attribute's type, and the attribute keeps its value")
    }
    access.refused = []
    if let error = access.error { throw error }
  }
}

/// The graph of a population, lent to a marshaler while it is asked.
final class GraphAccess: PopulationAccess {
  /// The population's own while ``current`` is set.
  fileprivate var graph: WorkingGraph
  /// The record that a marshaler is asked about.
  fileprivate var current: RecordID?
  /// Attributes that were set to what they cannot hold.
  fileprivate var refused: [PropertyName] = []
  /// What the store could not answer.
  fileprivate var error: StoreError?
  /// What marshalers have linked or unlinked.
  private(set) var changedEnds: Set<RelationshipEnd> = []

  init(schema: Schema, reader: any StoreReader) {
    graph = WorkingGraph(schema: schema, reader: reader)
  }

  private func row(_ id: RecordID) -> Row? { id == current ? graph.knownRow(id) : nil }

  /// What needs the store: nothing once that has failed, which fails the request.
  private func reading<Result>(_ body: () throws(StoreError) -> Result) -> Result? {
    guard error == nil else { return nil }
    do throws(StoreError) {
      return try body()
    } catch {
      self.error = error
      return nil
    }
  }

  func value(of name: PropertyName, _ id: RecordID) -> AttributeValue? {
    guard let row = row(id), let attribute = graph.schema.attribute(name, of: row.entity) else { return nil }
    return row.values[attribute.column]
  }

  func setValue(_ value: AttributeValue?, of name: PropertyName, _ id: RecordID) {
    guard let row = row(id), let attribute = graph.schema.attribute(name, of: row.entity) else { return }
    // The value may come from the response, so that a wrong one is told as in a response.
    let stored = value.flatMap { $0.storable(as: attribute.type) }
    guard value == nil || stored != nil else { return refused.append(name) }
    guard row.values[attribute.column] != stored else { return }
    graph.update(id) { $0.values[attribute.column] = stored }
  }

  func links(of name: PropertyName, _ id: RecordID) -> [PopulatedRecord] {
    guard let row = row(id), let relationship = graph.schema.relationship(name, of: row.entity) else {
      return []
    }
    let targets = reading { () throws(StoreError) -> [RecordID] in
      var targets: [RecordID]
      if let slot = relationship.slot {
        targets = row.toOnes[slot].map { [$0] } ?? []
      } else {
        targets = try graph.members(of: relationship.index, owner: id)
      }
      try graph.load(targets)
      return targets
    }
    return (targets ?? []).compactMap { target in
      graph.knownRow(target).map {
        PopulatedRecord($0, dictionary: nil, isNew: graph.isNew(target), schema: graph.schema)
      }
    }
  }

  func link(_ target: RecordID, to name: PropertyName, _ id: RecordID) {
    change(name, id, target) { (relationship) throws(StoreError) in
      if relationship.isToMany {
        try self.graph.addMember(target, to: relationship.index, of: id)
      } else {
        try self.graph.setToOne(relationship.index, of: id, to: target)
      }
    }
  }

  func unlink(_ target: RecordID, from name: PropertyName, _ id: RecordID) {
    change(name, id, target) { (relationship) throws(StoreError) in
      if relationship.isToMany {
        try self.graph.removeMember(target, from: relationship.index, of: id)
      } else if let slot = relationship.slot, self.graph.knownRow(id)?.toOnes[slot] == target {
        try self.graph.setToOne(relationship.index, of: id, to: nil)
      }
    }
  }

  private func change(
    _ name: PropertyName, _ id: RecordID, _ target: RecordID,
    _ body: (SchemaRelationship) throws(StoreError) -> Void
  ) {
    guard let row = row(id), let relationship = graph.schema.relationship(name, of: row.entity) else {
      return
    }
    reading { () throws(StoreError) in
      guard let other = try graph.row(target), graph.schema.isKind(other.entity, of: relationship.destination)
      else { return }
      try body(relationship)
      changedEnds.insert(RelationshipEnd(relationship: relationship.index, owner: id))
    }
  }
}
