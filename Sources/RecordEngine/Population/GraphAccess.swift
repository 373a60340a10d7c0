import RecordModel

/// The access of marshalers to the graph of a population, one record at a time. Rule: `customize.around`.
final class GraphAccess: PopulationAccess {
  /// The graph of the population while ``current`` is set.
  private var graph: WorkingGraph
  /// The record that a marshaler is processing.
  private var current: RecordID?
  /// The attributes that a marshaler has set to values of another type.
  private var refused: [PropertyName] = []
  /// The attributes that the marshaler has set.
  private var set: [PropertyName] = []
  /// The first failure of the store.
  private var error: StoreError?
  /// The relationships that marshalers have changed.
  private var changedEnds: Set<RelationshipEnd> = []
  /// A Boolean value that indicates whether a marshaler has changed a key.
  private var isSomeKeyChanged = false

  /// Creates the access; nil if the model has no marshalers.
  init?(_ population: Population) {
    guard population.hasMarshalers else { return nil }
    graph = WorkingGraph(schema: population.schema, reader: population.reader)
  }

  /// Passes a record to a marshaler. The marshaler can change it until `body` returns.
  func lend(
    _ lent: inout WorkingGraph, for proto: ProtoRecord, at recordIndex: WorkingRecordIndex,
    _ report: PopulationReport,
    _ body: (PopulatingRecord) -> Void
  ) throws(StoreError) {
    let row = lent.records[recordIndex].row
    current = row.id
    swap(&lent, &graph)
    body(
      PopulatingRecord(
        row.id, entity: graph.schema.entities[row.entity].name,
        dictionary: proto.dictionary(graph.schema),
        isNew: graph.isNew(row.id), in: self))
    swap(&lent, &graph)
    current = nil
    for name in refused {
      report.add(
        .valueType, entity: row.entity, property: name, at: proto.effective.item.node,
        "the marshaler set a value of the wrong type, which is ignored")
    }
    report.provenance?.noteSetByMarshaler(set, of: row.id)
    (refused, set) = ([], [])
    if let error { throw error }
  }

  /// Notes the relationships that marshalers have changed, and whether they have changed keys, in a populated graph.
  func noteChanges(in populated: inout PopulatedGraph) {
    populated.marshaledEnds.formUnion(changedEnds)
    if isSomeKeyChanged { populated.areKeysMarshaled = true }
  }

  private func row(_ id: RecordID) -> Row? { id == current ? graph.knownRow(id) : nil }

  /// Returns the result of reading the store. After the first failure, which fails the request, nothing is read.
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
    // The value may come from the response, so a wrong type is reported like one in the response.
    let stored = value.flatMap { $0.storable(as: attribute.type) }
    guard value == nil || stored != nil else { return refused.append(name) }
    set.append(name)
    guard row.values[attribute.column] != stored else { return }
    graph.update(id) { $0.values[attribute.column] = stored }
    let entity = graph.schema.entities[row.entity]
    if let position = entity.attributeIndices[name], entity.key.contains(position) { isSomeKeyChanged = true }
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
