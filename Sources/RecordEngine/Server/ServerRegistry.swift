import Foundation
import RecordModel

/// The servers that are registered for entities and record types. Rule: `request.server`.
// Unchecked: all mutable state is accessed only under `lock`.
final class ServerRegistry: @unchecked Sendable {
  private let lock = NSLock()
  private let coordinator: PersistentStoreCoordinator
  /// The server of all entities without a registered server.
  private let server: (any Server)?
  /// The servers by entity. A nil value means that the entity has no server.
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

  /// Returns the first server that is registered for one of the following, or the default server:
  ///
  /// - the entity, or else its record type
  /// - the parent entity or its record type, and so on for all ancestors
  /// - the nearest superclass of the record type that is not the record type of an entity
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
      // All these types are superclasses of one type, so that the nearest one is a subclass of all others.
      let nearest = including.first { one in including.allSatisfy { $0.includes(one.type) } }
      return nearest?.server ?? (nearest == nil ? server : nil)
    }
  }
}
