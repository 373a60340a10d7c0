public import RecordModel

/// Records as one part of an app sees and changes them, until it saves.
///
/// A context is not Sendable: it is used in the isolation (an actor, the main actor, a task) that made it.
public final class ManagedObjectContext {
  package let coordinator: PersistentStoreCoordinator
  var graph: WorkingGraph
  private var objects: [RecordID: WeakRecord] = [:]
  /// A read that failed where nothing could be thrown; the next fetch or save throws it.
  private var readFailure: StoreError?

  package init(coordinator: PersistentStoreCoordinator) {
    self.coordinator = coordinator
    graph = WorkingGraph(schema: coordinator.schema, store: coordinator.store)
  }

  var schema: Schema { coordinator.schema }

  private struct WeakRecord {
    weak var record: Record?
  }
}

// MARK: - Records

extension ManagedObjectContext {
  /// The one object of a record in this context; nil if there is no such record. Rule: `context.identity-map`.
  public func record(with id: RecordID) -> Record? {
    if let known = objects[id]?.record { return known }
    guard let row = row(id) else { return nil }
    let record = coordinator.recordTypes[row.entity].init(id: id, context: self)
    objects[id] = WeakRecord(record: record)
    return record
  }

  /// Makes a record of an entity, with its defaults.
  ///
  /// - Throws: ``RequestFailure`` with `invalid-entity` for a name that the model does not have, or an abstract entity.
  public func insert(_ entity: EntityName) throws(RequestFailure) -> Record {
    let description = try coordinator.concreteEntity(entity)
    let id = graph.insert([description.index])[0]
    let record = coordinator.recordTypes[description.index].init(id: id, context: self)
    objects[id] = WeakRecord(record: record)
    return record
  }

  func row(_ id: RecordID) -> Row? { reading { () throws(StoreError) in try graph.row(id) } ?? nil }

  private func reading<Result>(_ body: () throws(StoreError) -> Result) -> Result? {
    do {
      return try body()
    } catch {
      readFailure = readFailure ?? error
      return nil
    }
  }

  func throwReadFailure() throws(StoreError) {
    guard let failure = readFailure else { return }
    readFailure = nil
    throw failure
  }
}

// MARK: - Properties

extension ManagedObjectContext {
  func value(_ name: PropertyName, of id: RecordID) -> AttributeValue? {
    guard let row = row(id) else { return nil }
    return row.values[attribute(name, row).column]
  }

  func setValue(_ value: AttributeValue?, _ name: PropertyName, of id: RecordID) {
    guard let row = row(id) else { return }
    let attribute = attribute(name, row)
    precondition(
      value?.fits(attribute.type) ?? true,
      "'\(name)' of '\(schema.entities[row.entity].name)' is \(attribute.type)")
    graph.update(id) {
      $0.values[attribute.column] = value
      $0.isStub = false
    }
  }

  func toOne(_ name: PropertyName, of id: RecordID) -> RecordID? {
    guard let row = row(id) else { return nil }
    return relationship(name, row, isToMany: false).slot.flatMap { row.toOnes[$0] }
  }

  func setToOne(_ name: PropertyName, of id: RecordID, to target: RecordID?) {
    guard let row = row(id) else { return }
    let relationship = relationship(name, row, isToMany: false)
    checkDestination(target, relationship)
    _ = reading { () throws(StoreError) in try graph.setToOne(relationship.index, of: id, to: target) }
  }

  func toMany(_ name: PropertyName, of id: RecordID) -> [RecordID] {
    guard let row = row(id) else { return [] }
    let relationship = relationship(name, row, isToMany: true)
    return reading { () throws(StoreError) in try graph.members(of: relationship.index, owner: id) } ?? []
  }

  func setToMany(_ name: PropertyName, of id: RecordID, to members: [RecordID]) {
    guard let row = row(id) else { return }
    let relationship = relationship(name, row, isToMany: true)
    for member in members { checkDestination(member, relationship) }
    _ = reading { () throws(StoreError) in
      try graph.setMembers(members, of: relationship.index, owner: id)
    }
  }

  private func attribute(_ name: PropertyName, _ row: Row) -> SchemaAttribute {
    let entity = schema.entities[row.entity]
    guard let position = entity.attributePositions[name] else {
      preconditionFailure("'\(entity.name)' has no attribute '\(name)'")
    }
    return entity.attributes[position]
  }

  private func relationship(_ name: PropertyName, _ row: Row, isToMany: Bool) -> SchemaRelationship {
    let entity = schema.entities[row.entity]
    guard let index = entity.relationshipIndices[name], schema.relationships[index].isToMany == isToMany
    else {
      preconditionFailure("'\(entity.name)' has no \(isToMany ? "to-many" : "to-one") relationship '\(name)'")
    }
    return schema.relationships[index]
  }

  private func checkDestination(_ target: RecordID?, _ relationship: SchemaRelationship) {
    guard let target, let row = row(target) else { return }
    precondition(
      schema.isKind(row.entity, of: relationship.destination),
      "'\(relationship.name)' leads to '\(schema.entities[relationship.destination].name)'")
  }
}

// MARK: - Saving

extension ManagedObjectContext {
  /// Whether anything is other than the store has it.
  public var hasChanges: Bool { graph.hasChanges }

  /// Saves what was changed: all of it or nothing.
  ///
  /// - Throws: ``RequestFailure`` with `save-error` naming everything the model does not allow, or why the store could
  ///   not be written.
  @discardableResult
  public func save() throws(RequestFailure) -> ImportChanges {
    do {
      try throwReadFailure()
    } catch {
      throw RequestFailure(Diagnostic(.fetchError, message: error.message))
    }
    return try coordinator.writing { () throws(RequestFailure) in
      do throws(SaveProblem) {
        let changes = try graph.commit()
        graph.markSaved()
        return ImportChanges(changes, schema: schema)
      } catch {
        throw RequestFailure(error)
      }
    }
  }

  /// Takes what another save has done, so that records held here show it. Rules: `context.refresh`,
  /// `context.conflict`.
  package func merge(_ changes: ChangeSet) {
    graph.refresh(changes)
    for row in changes.deleted { objects[row.id] = nil }
    for update in changes.updated where update.before.entity != update.after.entity {
      objects[update.after.id] = nil
    }
  }
}
