import RecordModel

/// The state of a proto once its duplicates are settled, unless a hook decides about them.
struct SettledState: Hashable {
  var entity: EntityIndex
  var isFull: Bool
}

extension ProtoRecord {
  /// Returns the state once the duplicates are settled.
  ///
  /// - Parameter others: the appearances after the first.
  func settledState(with others: [Appearance], _ schema: Schema) -> SettledState {
    if others.isEmpty { return SettledState(entity: entity, isFull: effective.isFull) }
    let appearances = ([effective] + others).sorted { $0.order < $1.order }
    if let full = appearances.first(where: \.isFull) {
      return SettledState(entity: full.entity, isFull: true)
    }
    return SettledState(entity: StubEntity(appearances, schema).entity, isFull: false)
  }
}

/// The entity of a record that is known by stubs alone: the lowest on one line of descent, else the first. Stubs that
/// make no record have no say, unless there are no others. Rule: `identity.sub-entity.stubs`.
struct StubEntity {
  let entity: EntityIndex
  /// The pairs of stubs that contradict each other.
  let rivals: [(Appearance, Appearance)]

  init(_ stubs: [Appearance], _ schema: Schema) {
    let deciding = stubs.filter(\.makesRecord)
    var entity = (deciding.first ?? stubs[0]).entity
    var rivals: [(Appearance, Appearance)] = []
    for stub in deciding where !schema.isKind(entity, of: stub.entity) {
      if schema.isKind(stub.entity, of: entity) {
        entity = stub.entity
      } else {
        rivals.append((deciding[0], stub))
      }
    }
    self.entity = entity
    self.rivals = rivals
  }
}
