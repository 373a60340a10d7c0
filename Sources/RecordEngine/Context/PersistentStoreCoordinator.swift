import Foundation

/// What all contexts of one container share: the model, the store, the record types, and whose turn it is to write.
package final class PersistentStoreCoordinator: Sendable {
  package let model: ManagedObjectModel
  package let store: any Store
  /// By entity: the registered record type, its own or else its nearest ancestor's; `Record` where there is none.
  /// Rule: `model.class-name`.
  package let recordTypes: [Record.Type]
  /// By record type: the first entity that names it as its class.
  private let entitiesByType: [ObjectIdentifier: Int]
  /// Held from the first read of an import to its save, so that two imports never make one record twice.
  private let writing = NSLock()

  package var schema: Schema { model.schema }

  package init(model: ManagedObjectModel, store: any Store, recordTypes: [Record.Type]) {
    self.model = model
    self.store = store
    let byName = Dictionary(
      recordTypes.map { (String(describing: $0), $0) }, uniquingKeysWith: { _, last in last })
    let schema = model.schema
    self.recordTypes = schema.entities.map { entity in
      var current: SchemaEntity? = entity
      while let candidate = current {
        if let type = byName[candidate.className] { return type }
        current = candidate.parent.map { schema.entities[$0] }
      }
      return Record.self
    }
    entitiesByType = Dictionary(
      schema.entities.compactMap { entity in
        byName[entity.className].map { (ObjectIdentifier($0), entity.index) }
      },
      uniquingKeysWith: { first, _ in first })
  }

  /// Reads and writes with nobody else writing in between.
  package func writing<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
  {
    writing.lock()
    defer { writing.unlock() }
    return try body()
  }

  /// The entity whose records are of a record type; nil if the type is not registered for one.
  package func entity(of type: Record.Type) -> Int? { entitiesByType[ObjectIdentifier(type)] }
}
