import Foundation
import RecordModel

/// What options requests have that are given none. Rule: `request.defaults`.
// Unchecked: `byEntity` is read and written under `lock` alone.
final class RequestDefaultsRegistry: @unchecked Sendable {
  private let lock = NSLock()
  private let coordinator: PersistentStoreCoordinator
  private var byEntity: [EntityIndex: RequestOptions] = [:]

  init(_ coordinator: PersistentStoreCoordinator) { self.coordinator = coordinator }

  func set(_ options: RequestOptions?, for entity: EntityIndex) {
    lock.withLock { byEntity[entity] = options }
  }

  /// Those set for the entity, or else its record type's; then those of the nearest ancestor.
  func options(of entity: EntityIndex) -> RequestOptions {
    let set = lock.withLock { byEntity }
    var current: EntityIndex? = entity
    while let entity = current {
      if let options = set[entity] { return options }
      // What a record type says is asked without the lock: it may ask for those of another entity.
      if let type = coordinator.ownRecordType(of: entity) as? any RequestDefaults.Type {
        return type.defaultOptions
      }
      current = coordinator.schema.entities[entity].parent
    }
    return RequestOptions()
  }
}
