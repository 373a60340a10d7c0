import RecordModel

extension Schema {
  /// Returns the entities that have one of the record types as their class, with the type. Rule: `model.class-name`.
  func entities(of types: [Record.Type]) -> [(entity: SchemaEntity, type: Record.Type)] {
    let typesByName = Dictionary(
      types.map { (String(describing: $0), $0) }, uniquingKeysWith: { _, last in last })
    return entities.compactMap { entity in typesByName[entity.className].map { (entity, $0) } }
  }

  /// Returns the record type of each entity: its own, or else that of its nearest ancestor, or else `Record`.
  /// Rule: `model.class-name`.
  func recordTypes(_ types: [Record.Type]) -> [Record.Type] {
    let own = Dictionary(
      entities(of: types).map { ($0.entity.index, $0.type) }, uniquingKeysWith: { _, last in last })
    var result = Array<Record.Type>(repeating: Record.self, count: entities.count)
    for entity in depthFirst.map({ entities[$0] }) {
      result[for: entity.index] = own[entity.index] ?? entity.parent.map { result[for: $0] } ?? Record.self
    }
    return result
  }

  /// Returns the class in the model whose name is nearest to that of an unknown record type.
  func nearestClass(to type: Record.Type) -> String? {
    nearestName(to: String(describing: type), among: entities.map(\.className))
  }
}
