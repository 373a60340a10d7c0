public import RecordModel

/// A state of a record, with the properties that have changed since the last one.
public struct RecordUpdate<RecordType: Record> {
  /// The record.
  public let record: RecordType
  /// The names of the properties that have changed since the last element of the sequence, in the order of the model,
  /// attributes first. It is empty for the first element, and if only the entity of the record has changed.
  public let properties: [PropertyName]
}

extension ManagedObjectContext {
  /// Returns the states of a record over time: the current one, and a new one after each change of this context that
  /// affects its properties. The changes are those of ``updates(of:properties:)-(RecordFetchRequest,_)``.
  ///
  /// - Parameters:
  ///   - record: a record of this context. If it is deleted, the sequence is empty.
  ///   - properties: the properties whose changes count; nil for all properties, including relationships. Naming a
  ///     property that no entity of the record's inheritance tree has is a programming error.
  public func updates<RecordType: Record>(
    of record: RecordType, properties: [PropertyName]? = nil
  ) -> ContextUpdates<RecordUpdate<RecordType>> {
    let id = id(of: record)
    let entities = schema.entities(ofTree: id.tree)
    for name in properties ?? [] {
      precondition(
        entities.contains { $0.hasProperty(name) },
        "'\(schema.entities[schema.trees[id.tree].root].name)' has no property '\(name)'")
    }
    let properties = ObservedProperties(properties, of: schema.trees[id.tree].root, schema)
    let dependencies = UpdateDependencies(tree: id.tree, relatedTrees: properties.relatedTrees(schema))
    return ContextUpdates(self, dependencies) {
      var last: ObservedRecord?
      return { context, effect throws(RequestFailure) in
        let currentID = context.successors.current(id)
        if case .records(let changed) = effect, !changed.contains(currentID) { return .unchanged }
        guard let (record, current) = try context.observe(currentID, properties),
          let record = record as? RecordType
        else { return .end }
        guard var former = last else {
          last = current
          return .update(RecordUpdate(record: record, properties: []))
        }
        last = current
        former.replace(context.successors, properties, context.schema)
        guard let names = current.changes(since: former, properties, context.schema) else {
          return .unchanged
        }
        return .update(RecordUpdate(record: record, properties: names))
      }
    }
  }

  /// Returns a record and its observed state; nil if it does not exist.
  fileprivate func observe(
    _ id: RecordID, _ properties: ObservedProperties
  ) throws(RequestFailure) -> (Record, ObservedRecord)? {
    try fetching(StoreFetch(entity: schema.trees[id.tree].root)) { () throws(StoreError) in
      guard let row = try graph.row(id), let record = record(with: id) else { return nil }
      return try observe([row], properties).first.map { (record, $0) }
    }
  }
}
