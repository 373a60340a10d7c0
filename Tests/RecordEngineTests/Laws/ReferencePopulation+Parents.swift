import JSONTree
import RecordEngine
import RecordModel

/// The detection of invalid parents. Rules: `identity.relationship-key.root`, `relationships.key-is-parent`.
extension ReferencePopulation {
  func namedParent(_ proto: Int, _ relationship: PropertyName) -> NamedParent {
    var identities: [Identity?] = []
    var last = proto
    var next: Int? = proto
    while let current = next {
      last = current
      identities.append(protos[current].identity.map(withoutParent))
      next = protos[current].parent
    }
    let item = protos[last].identity == nil ? protos[last].mentions.first?.item : nil
    return NamedParent(identities: identities, item: item, relationship: relationship)
  }

  private func withoutParent(_ identity: Identity) -> Identity {
    switch identity {
    case .key: identity
    case .child(_, let name): .child(parent: 0, name)
    case .oneOfSeveral(_, let name, let entity, let content, let unmapped):
      .oneOfSeveral(parent: 0, name, entity, content, unmapped: unmapped)
    }
  }

  /// Finds items with invalid parents. Returns a Boolean value that indicates whether any of these parents is new.
  mutating func findProblems() -> Bool {
    let known = problems.count
    for proto in protos where proto.identity != nil && !proto.isGone {
      guard let parent = proto.parent, let entity = proto.mentions.first?.entity,
        let relationship = model.keyRelationship(entity),
        let problem = problem(of: parent, relationship)
      else { continue }
      problems[namedParent(parent, relationship.name)] = problem
    }
    return problems.count > known
  }

  private func problem(of parent: Int, _ relationship: RelationshipDescription) -> ParentProblem? {
    let proto = protos[parent]
    if proto.isGone { return .missing }
    let (entity, _) = settledEntity(proto)
    let decides = proto.mayBeMade && !model.isAbstract(entity)
    var becomes = entity
    if let stored = stored(proto) {
      becomes = decides && !model.isKind(stored, of: entity) ? entity : stored
    } else if !decides {
      if case .key? = proto.identity { return .missing }
      return nil
    }
    return model.isKind(becomes, of: relationship.destination) ? nil : .otherEntity
  }

  /// Returns the entity of the stored record with the key of a proto.
  private func stored(_ proto: Proto) -> EntityName? {
    guard case .key(let scope, let values)? = proto.identity else { return nil }
    return graph.numbers.lazy.compactMap { graph.records[$0] }.first { record in
      guard let key = model.key(record.entity) else { return false }
      return key.scope == scope && key.properties.map { record.values[$0] } == values
    }?.entity
  }
}
