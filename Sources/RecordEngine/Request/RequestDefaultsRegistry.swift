import Foundation
import RecordModel

/// What options requests have that are given none. Rule: `request.defaults`.
// Unchecked: `byEntity` is read and written under `lock` alone.
final class RequestDefaultsRegistry: @unchecked Sendable {
  private let lock = NSLock()
  private let coordinator: PersistentStoreCoordinator
  private var byEntity: [Int: RequestOptions] = [:]

  init(_ coordinator: PersistentStoreCoordinator) { self.coordinator = coordinator }

  func set(_ options: RequestOptions?, for entity: Int) {
    lock.withLock { byEntity[entity] = options }
  }

  /// Those set for the entity or the nearest ancestor, else those of its record type.
  func options(of entity: Int) -> RequestOptions {
    lock.withLock {
      var current: Int? = entity
      while let entity = current {
        if let options = byEntity[entity] { return options }
        current = coordinator.schema.entities[entity].parent
      }
      return (coordinator.recordTypes[entity] as? any RequestDefaults.Type)?.defaultOptions
        ?? RequestOptions()
    }
  }
}
