import Foundation
import RecordModel

/// The default options of requests. Rule: `request.defaults`.
// Unchecked: `byEntity` is accessed only while `lock` is held.
final class RequestDefaultsRegistry: @unchecked Sendable {
  private let lock = NSLock()
  private let coordinator: PersistentStoreCoordinator
  private var byEntity: [EntityIndex: RequestOptions] = [:]

  init(_ coordinator: PersistentStoreCoordinator) { self.coordinator = coordinator }

  func set(_ options: RequestOptions?, for entity: EntityIndex) {
    lock.withLock { byEntity[entity] = options }
  }

  /// Returns the options that are set for the entity, or else those of its record type, or else those of the nearest
  /// ancestor.
  func options(of entity: EntityIndex) -> RequestOptions {
    let set = lock.withLock { byEntity }
    var current: EntityIndex? = entity
    while let entity = current {
      if let options = set[entity] { return options }
      // The lock is not held here, because the record type may ask for the options of another entity.
      if let type = coordinator.ownRecordType(of: entity) as? any RequestDefaults.Type {
        return type.defaultOptions
      }
      current = coordinator.schema.entities[entity].parent
    }
    return RequestOptions()
  }
}
