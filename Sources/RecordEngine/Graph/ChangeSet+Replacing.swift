import RecordModel

extension ChangeSet {
  /// Returns the changes with each record replaced by the one that it has become.
  ///
  /// - Parameter current: a closure that returns the record that a record has become, or else the record itself.
  func replacing(_ current: (RecordID) -> RecordID) -> ChangeSet {
    var changes = self
    changes.inserted = inserted.map { $0.replacing(current) }
    changes.updated = updated.map {
      Update(before: $0.before.replacing(current), after: $0.after.replacing(current))
    }
    changes.deleted = deleted.map { $0.replacing(current) }
    changes.linked = linked.map { $0.replacing(current) }
    changes.unlinked = unlinked.map { $0.replacing(current) }
    changes.orderings = orderings.map { ordering in
      Ordering(
        relationship: ordering.relationship, owner: current(ordering.owner),
        added: ordering.added.map(current), order: ordering.order?.map(current))
    }
    changes.namedEnds = namedEnds.map { $0.replacing(current) }
    return changes
  }
}

extension RelationshipEnd {
  fileprivate func replacing(_ current: (RecordID) -> RecordID) -> RelationshipEnd {
    RelationshipEnd(relationship: relationship, owner: current(owner))
  }
}

extension Link {
  fileprivate func replacing(_ current: (RecordID) -> RecordID) -> Link {
    Link(relationship, nil, owner: current(owner), member: current(member))
  }
}

extension Row {
  fileprivate func replacing(_ current: (RecordID) -> RecordID) -> Row {
    Row(
      id: current(id), entity: entity, isStub: isStub, values: values,
      toOnes: toOnes.map { $0.map(current) })
  }
}
