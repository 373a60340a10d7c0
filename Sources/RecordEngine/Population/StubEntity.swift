import RecordModel

extension ProtoRecord {
  /// Returns the entity after the duplicates are settled, unless a hook merges them.
  ///
  /// - Parameter others: the appearances after the first.
  func settledEntity(with others: [Appearance], _ schema: Schema) -> EntityIndex {
    if others.isEmpty { return entity }
    let appearances = ([effective] + others).sorted { $0.order < $1.order }
    return appearances.first(where: \.isFull)?.entity ?? StubEntity(appearances, schema).entity
  }
}

/// The entity of a record that only stubs mention: the lowest one if the entities are on one line of descent, otherwise
/// the first. Stubs that may not create a record are only considered if there are no others.
/// Rules: `identity.sub-entity`, `identity.sub-entity.stubs`.
struct StubEntity {
  let entity: EntityIndex
  /// The pairs of stubs with contradicting entities.
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
