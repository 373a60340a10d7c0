import OrderedCollections
import RecordModel

/// The properties of records that a sequence of updates observes.
struct ObservedProperties {
  /// The names; nil for all properties.
  private let names: Set<PropertyName>?
  /// The to-many relationships, in the order of the model.
  let toManys: [RelationshipIndex]

  /// Creates the observed properties of the records of an entity and its sub-entities.
  init(_ names: [PropertyName]?, of entity: EntityIndex, _ schema: Schema) {
    let names = names.map { Set($0) }
    self.names = names
    let relationships = schema.kinds(of: entity).flatMap { schema.entities[$0].relationships }
    toManys = OrderedSet(relationships).filter { index in
      let relationship = schema.relationships[index]
      return relationship.isToMany && names?.contains(relationship.name) ?? true
    }
  }

  func contains(_ name: PropertyName) -> Bool { names?.contains(name) ?? true }

  /// Returns the inheritance trees of the members that the observed properties depend on.
  func relatedTrees(_ schema: Schema) -> Set<TreeIndex> {
    Set(toManys.map { schema.entities[schema.relationships[$0].destination].tree })
  }
}

/// A record as a sequence of updates last saw it.
struct ObservedRecord {
  var id: RecordID
  var row: Row
  /// The members of each observed to-many relationship; empty if the record does not have the relationship.
  var members: [[RecordID]]
}

extension ObservedRecord {
  /// Returns the names of the observed properties that differ from a former state of the record, in the order of the
  /// model, attributes first; nil if nothing differs.
  func changes(
    since former: ObservedRecord, _ properties: ObservedProperties, _ schema: Schema
  ) -> [PropertyName]? {
    let isSameRow = row.values == former.row.values && row.toOnes == former.row.toOnes
    if isSameRow, members == former.members, row.entity == former.row.entity { return nil }
    let entity = schema.entities[row.entity]
    var names: [PropertyName] = []
    for attribute in entity.attributes
    where properties.contains(attribute.name) {
      let (value, formerValue) = (row.values[attribute.column], former.row.values[attribute.column])
      // NaN differs from itself, but it has not changed.
      if value != formerValue, value == value || formerValue == formerValue { names.append(attribute.name) }
    }
    for relationship in entity.relationships.map({ schema.relationships[$0] })
    where properties.contains(relationship.name) {
      let differs =
        if let slot = relationship.slot {
          row.toOnes[slot] != former.row.toOnes[slot]
        } else {
          properties.toManys.firstIndex(of: relationship.index).map { members[$0] != former.members[$0] }
            ?? false
        }
      if differs { names.append(relationship.name) }
    }
    return names.isEmpty && row.entity == former.row.entity ? nil : names
  }

  /// Replaces the records that have become other ones.
  mutating func replace(
    _ successors: RecordSuccessors, _ properties: ObservedProperties, _ schema: Schema
  ) {
    if successors.isEmpty { return }
    id = successors.current(id)
    row.toOnes = row.toOnes.map { $0.map(successors.current) }
    for (position, relationship) in properties.toManys.enumerated() {
      let replaced = OrderedSet(members[position].map(successors.current))
      members[position] =
        schema.relationships[relationship].isOrdered ? Array(replaced) : replaced.sorted()
    }
  }
}

extension [ObservedRecord] {
  /// Replaces the records that have become other ones. If the list also contains the other record, the former one keeps its
  /// identifier, and counts as deleted.
  mutating func replace(
    _ successors: RecordSuccessors, _ properties: ObservedProperties, _ schema: Schema
  ) {
    guard !successors.isEmpty else { return }
    var ids = Set(map(\.id))
    for index in indices {
      let former = self[index].id
      self[index].replace(successors, properties, schema)
      if !ids.insert(self[index].id).inserted { self[index].id = former }
    }
  }

  /// Returns the changes since a former list.
  func changes(
    since former: [ObservedRecord], _ properties: ObservedProperties, _ schema: Schema
  ) -> FetchChanges {
    var changes = FetchChanges(from: former.map(\.id), to: map(\.id))
    guard !former.isEmpty else { return changes }
    let formerRecords = Dictionary(uniqueKeysWithValues: former.map { ($0.id, $0) })
    for (offset, record) in enumerated() {
      guard let names = formerRecords[record.id].flatMap({ record.changes(since: $0, properties, schema) })
      else { continue }
      changes.updated.append(FetchChanges.Update(id: record.id, offset: offset, properties: names))
    }
    return changes
  }
}

extension ManagedObjectContext {
  /// Returns the current state of records, in the order of their rows.
  func observe(_ rows: [Row], _ properties: ObservedProperties) throws(StoreError) -> [ObservedRecord] {
    var observed = rows.map { row in
      ObservedRecord(
        id: row.id, row: graph.withoutDeletedTargets(row),
        members: Array(repeating: [], count: properties.toManys.count))
    }
    for (position, relationship) in properties.toManys.enumerated() {
      let members = try graph.members(of: relationship, owners: rows.map(\.id))
      for (index, members) in members.enumerated() {
        // The members that a child has read before can include records that it has deleted since.
        observed[index].members[position] = members.filter { !graph.isDeleted($0) }
      }
    }
    return observed
  }
}
