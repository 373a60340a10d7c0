import JSONTree
import OrderedCollections
import RecordModel

/// The phase that gathers the statements of the items about relationships, before any relationship is set.
/// Rules: `population.relationships`, `relationships.*`.
struct StatementGathering: ~Copyable {
  private let population: Population
  private let report: PopulationReport
  private let schema: Schema
  private let hasTombstones: Bool
  private(set) var populated: PopulatedGraph
  private(set) var statements: RelationshipStatements

  init(_ filled: consuming PopulatedGraph, _ report: PopulationReport) {
    population = report.population
    self.report = report
    populated = filled
    schema = population.schema
    hasTombstones = populated.protos.contains(where: \.isTombstone)
    populated.replacedLists = population.options.replacedLists
    statements = RelationshipStatements(
      schema, mayReplaceAnything: population.hasMarshalers, count: populated.protos.count)
    // In the order of the response: if two statements contradict each other, the last one counts.
    var protosByOrder = Array(repeating: -1, count: populated.summary.count + 1)
    for index in populated.protos.indices { protosByOrder[populated.protos[index].effective.order] = index }
    for index in protosByOrder where index >= 0 && !populated.protos[index].isTombstone {
      gather(ProtoIndex(index))
    }
  }

  private mutating func gather(_ index: ProtoIndex) {
    guard let owner = populated.protos[index].record else { return }
    let entity = populated.protos[index].entity
    let keyRelationship = population.keyRelationship(of: entity)
    let key = populated.protos[index].parent.flatMap { _ in keyRelationship }
    if population.hasMarshalers, populated.protos[index].effective.isFull,
      let marshaler = population.marshaler(of: entity)
    {
      marshalLinks(of: index, key: key, marshaler)
    }
    let children = populated.protos[index].effective.children
    for position in children.indices where children[position].relationship != key {
      // Like a key attribute, the parent of a requested record stays if its item has none. Rule: `request.detail`.
      if children[position].isNull, children[position].relationship == keyRelationship { continue }
      gather(children[position], of: owner, entity)
    }
    // The parent that identifies the record counts, whatever the item names. Rule: `relationships.key-is-parent`.
    if let key, let parent = populated.protos[index].parent {
      let position = report.position(of: populated.protos[index].effective.item.node)
      if let target = linkable(
        Appearance.Reference(proto: parent, position: position), through: key, of: entity)
      {
        statements.toOnes.set(
          RelationshipEnd(relationship: key, owner: owner),
          RelationshipStatements.ToOneTarget(record: target, entity: entity))
      }
    }
  }

  private mutating func gather(_ children: Appearance.Children, of owner: RecordID, _ entity: EntityIndex) {
    let relationship = children.relationship
    let end = RelationshipEnd(relationship: relationship, owner: owner)
    if children.isNull {
      if children.replaces || schema.relationships[relationship].null == .clear {
        statements.nulls.append(end)
      }
    } else if schema.relationships[relationship].isToMany {
      addList(children, of: end, entity)
      for link in hasTombstones ? children.links : [] {
        guard let record = tombstoneRecord(link, through: relationship, of: entity) else { continue }
        statements.tombstones.append((end, record))
      }
    } else if let link = children.links.first, populated.protos[link.proto].isTombstone {
      if let record = tombstoneRecord(link, through: relationship, of: entity) {
        statements.tombstones.append((end, record))
      } else {
        statements.nulls.append(end)
      }
    } else if let link = children.links.first, let record = linkable(link, through: relationship, of: entity)
    {
      statements.toOnes.set(
        end,
        RelationshipStatements.ToOneTarget(record: record, entity: entity, position: children.position))
    }
  }

  private mutating func addList(
    _ children: Appearance.Children, of end: RelationshipEnd, _ entity: EntityIndex
  ) {
    var list = RelationshipStatements.MemberList(
      relationship: end.relationship, owner: end.owner, members: members(children, of: entity),
      entity: entity,
      position: children.position)
    if children.replaces || schema.relationships[end.relationship].assignment == .replace {
      let continues = population.options.replacedLists?.contains(end) ?? false
      list.replaces = (children.replaces || !children.isPartial) && !continues
      populated.replacedLists?.insert(end)
    }
    statements.add(list)
  }

  /// Returns the records that a list may link to. Each record is included once, at its first position.
  private func members(_ children: Appearance.Children, of entity: EntityIndex) -> [RecordID] {
    var members: [RecordID] = []
    members.reserveCapacity(children.links.count)
    // For a few elements, a linear search is faster.
    let areFew = children.links.count <= 8
    for link in children.links {
      guard let record = linkable(link, through: children.relationship, of: entity) else { continue }
      if !areFew || !members.contains(record) { members.append(record) }
    }
    return areFew ? members : Array(OrderedSet(members))
  }

  // MARK: Linkable records

  /// Returns the record of a link, if the relationship may lead to it. Otherwise reports the reason and returns nil.
  private func linkable(
    _ link: Appearance.Reference, through relationship: RelationshipIndex, of owner: EntityIndex
  ) -> RecordID? {
    if populated.protos[link.proto].isTombstone { return nil }
    guard let record = fittingRecord(link, through: relationship) else {
      reportUnlinkable(link, schema.relationships[relationship], owner)
      return nil
    }
    return record
  }

  /// Returns the record of a link to a tombstone, which delete rules may protect because of the link; nil if there is no
  /// such record. The parent that is the key of a record is not linked, because the record does not protect it.
  private func tombstoneRecord(
    _ link: Appearance.Reference, through relationship: RelationshipIndex, of owner: EntityIndex
  ) -> RecordID? {
    guard populated.protos[link.proto].isTombstone, relationship != population.keyRelationship(of: owner)
    else { return nil }
    return fittingRecord(link, through: relationship)
  }

  /// Returns the record of a link, if its entity is a destination of the relationship.
  private func fittingRecord(
    _ link: Appearance.Reference, through relationship: RelationshipIndex
  ) -> RecordID? {
    guard let record = populated.protos[link.proto].record,
      let recordIndex = populated.protos[link.proto].recordIndex
    else { return nil }
    let entity = populated.graph.records[recordIndex].row.entity
    let destination = schema.relationships[relationship].destination
    return entity == destination || schema.isKind(entity, of: destination) ? record : nil
  }

  private func reportUnlinkable(
    _ link: Appearance.Reference, _ relationship: SchemaRelationship, _ owner: EntityIndex
  ) {
    func report(_ code: DiagnosticCode, _ message: String) {
      self.report.add(
        code, entity: owner, property: relationship.name, at: self.report.node(at: link.position), message)
    }
    let entity = schema.entities[populated.protos[link.proto].entity]
    if let record = populated.protos[link.proto].record, let row = populated.graph.knownRow(record) {
      report(
        .entityMismatch,
        "the record is a '\(schema.entities[row.entity].name)', and the destination is '\(schema.entities[relationship.destination].name)'"
      )
    } else if relationship.stubs == .create, entity.isAbstract {
      self.report.addNoRecord(
        entity.index, of: (owner, relationship.name), at: self.report.node(at: link.position))
    } else {
      report(.missingReference, "no record with this key is in the store or in the response")
    }
  }

  // MARK: Marshalers

  /// Calls the marshaler for each relationship and applies its decisions to the item. Rule: `customize.relationship`.
  private func marshalLinks(of index: ProtoIndex, key: RelationshipIndex?, _ marshaler: any Marshaler) {
    let (entity, appearance) = (populated.protos[index].entity, populated.protos[index].effective)
    guard let record = record(of: index) else { return }
    for relationship in schema.entities[entity].relationships where relationship != key {
      let known = appearance.children.first { $0.relationship == relationship }
      let possible = (known?.links ?? []).filter {
        populated.protos[$0.proto].isTombstone || linkable($0, through: relationship, of: entity) != nil
      }
      let linked = possible.compactMap { link in self.record(of: link.proto).map { (link: link, record: $0) }
      }
      func links(to records: [PopulatedRecord]) -> [Appearance.Reference] {
        let links = Dictionary(
          linked.map { ($0.record.recordID, $0.link) }, uniquingKeysWith: { first, _ in first })
        return records.compactMap { links[$0.recordID] }
      }
      var children =
        known
        ?? Appearance.Children(
          relationship: relationship, position: record.dictionary.map(report.position(of:)))
      switch marshaler.relationship(
        schema.relationships[relationship].name, of: record, links: known.map { _ in linked.map(\.record) })
      {
      case .standard:
        // Links that are not possible have been reported.
        if known == nil || possible.count == children.links.count { continue }
        children.links = possible
      case .leave:
        appearance.children.removeAll { $0.relationship == relationship }
        continue
      case .link(let records):
        children.links = links(to: records)
        children.isNull = false
      case .replace(let records):
        children.links = links(to: records)
        children.isNull = records.isEmpty && !schema.relationships[relationship].isToMany
        children.replaces = true
      }
      appearance.set(children)
    }
  }

  /// Returns a record of the response for marshalers; nil if it does not exist or is deleted.
  private func record(of index: ProtoIndex) -> PopulatedRecord? {
    let proto = populated.protos[index]
    guard !proto.isTombstone, let id = proto.record, let row = populated.graph.knownRow(id) else {
      return nil
    }
    return PopulatedRecord(
      row, dictionary: proto.dictionary(schema), isNew: populated.graph.isNew(id), schema: schema)
  }
}
