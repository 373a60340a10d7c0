import RecordModel

extension Record {
  /// Creates an object that represents no record, so that the wrappers of its properties can be read.
  static func prototype() -> Self {
    Self(id: RecordID(tree: TreeIndex(0), serial: 0), context: ManagedObjectContext(coordinator: detached))
  }

  private static let detached = PersistentStoreCoordinator(
    model: ManagedObjectModel(), store: MemoryStore(schema: Schema()), recordTypes: [])
}

/// The property wrappers of a record type, by the class that declares them.
struct RecordProperties {
  /// The classes, the superclass first, with their wrappers in the order of declaration.
  let levels: [(type: Record.Type, properties: [any RecordProperty])]

  var all: [any RecordProperty] { levels.flatMap(\.properties) }

  init(_ type: Record.Type) {
    var levels: [(Record.Type, [any RecordProperty])] = []
    var mirror: Mirror? = Mirror(reflecting: type.prototype())
    while let current = mirror, let type = current.subjectType as? Record.Type, type != Record.self {
      levels.append((type, current.children.compactMap { $0.value as? any RecordProperty }))
      mirror = current.superclassMirror
    }
    self.levels = levels.reversed()
  }
}
