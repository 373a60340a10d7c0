import Foundation
import RecordModel

/// Which server answers for which records. Rule: `request.server`.
// Unchecked: everything is read and written under `lock` alone.
final class ServerRegistry: @unchecked Sendable {
  private let lock = NSLock()
  private let coordinator: PersistentStoreCoordinator
  /// Who answers for all that nothing else is said of.
  private let server: (any Server)?
  /// By entity; a nil says that nobody answers.
  private var byEntity: [EntityIndex: (any Server)?] = [:]
  private var byType: [TypeRegistration] = []

  private struct TypeRegistration {
    let type: Record.Type
    let includes: (Record.Type) -> Bool
    let server: (any Server)?
  }

  init(_ coordinator: PersistentStoreCoordinator, server: (any Server)?) {
    self.coordinator = coordinator
    self.server = server
  }

  func register(_ server: (any Server)?, for entity: EntityIndex) {
    lock.withLock { byEntity[entity] = .some(server) }
  }

  func unregister(_ entity: EntityIndex) {
    _ = lock.withLock { byEntity.removeValue(forKey: entity) }
  }

  func register<Element: Record>(_ server: (any Server)?, for type: Element.Type) {
    lock.withLock {
      byType.removeAll { $0.type == type }
      byType.append(TypeRegistration(type: type, includes: { $0 is Element.Type }, server: server))
    }
  }

  func unregister(_ type: Record.Type) {
    lock.withLock { byType.removeAll { $0.type == type } }
  }

  /// The server that is registered for the entity, or else its record type; then for the nearest ancestor, and at last for
  /// the nearest superclass that no entity has.
  func server(for entity: EntityIndex) -> (any Server)? {
    let schema = coordinator.schema
    return lock.withLock {
      var current: EntityIndex? = entity
      while let entity = current {
        if let server = byEntity[entity] { return server }
        if let own = coordinator.ownRecordType(of: entity),
          let registration = byType.first(where: { $0.type == own })
        {
          return registration.server
        }
        current = schema.entities[entity].parent
      }
      let type = coordinator.recordTypes[for: entity]
      let including = byType.filter { $0.includes(type) }
      // All of these are in one line of superclasses: the nearest is included by all others.
      let nearest = including.first { one in including.allSatisfy { $0.includes(one.type) } }
      return nearest?.server ?? (nearest == nil ? server : nil)
    }
  }
}
