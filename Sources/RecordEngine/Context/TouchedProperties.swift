import RecordModel

/// The properties that some edits set: what two of them both touch is a conflict. Rule: `context.conflict`.
struct TouchedProperties {
  private let schema: Schema
  private var values: Set<ValuePlace> = []
  private var ends: Set<RelationshipEnd> = []
  private var links: Set<Link> = []

  init(_ edits: some Sequence<Edit>, _ schema: Schema) {
    self.schema = schema
    for edit in edits {
      switch edit {
      case .insert, .fill, .changeEntity, .delete: break
      case .setValue(let id, let column, _): values.insert(ValuePlace(record: id, column: column))
      case .setToOne(let id, let relationship, let target):
        ends.formUnion(Self.ends(schema.relationships[relationship], id, target))
      case .addMember(let id, let relationship, let member),
        .removeMember(let id, let relationship, let member):
        let value = schema.relationships[relationship]
        if let end = Self.memberEnd(value, member) {
          ends.insert(end)
        } else {
          links.formUnion(Self.links(value, id, member))
        }
      case .order(let id, let relationship, _):
        ends.insert(RelationshipEnd(relationship: relationship, owner: id))
      }
    }
  }

  /// Whether an edit sets one of them.
  func contain(_ edit: Edit) -> Bool {
    switch edit {
    case .insert, .fill, .changeEntity, .delete: return false
    case .setValue(let id, let column, _):
      return values.contains(ValuePlace(record: id, column: column))
    case .setToOne(let id, let relationship, let target):
      return Self.ends(schema.relationships[relationship], id, target).contains(where: ends.contains)
    case .addMember(let id, let relationship, let member),
      .removeMember(let id, let relationship, let member):
      let value = schema.relationships[relationship]
      if let end = Self.memberEnd(value, member) { return ends.contains(end) }
      return Self.links(value, id, member).contains(where: links.contains)
    case .order(let id, let relationship, _):
      return ends.contains(RelationshipEnd(relationship: relationship, owner: id))
    }
  }

  /// The to-one relationships that an edit sets, whichever side it names.
  static func toOneEnds(_ edit: Edit, _ schema: Schema) -> [RelationshipEnd] {
    switch edit {
    case .insert, .setValue, .fill, .changeEntity, .order, .delete: []
    case .setToOne(let id, let relationship, let target):
      ends(schema.relationships[relationship], id, target)
    case .addMember(_, let relationship, let member), .removeMember(_, let relationship, let member):
      memberEnd(schema.relationships[relationship], member).map { [$0] } ?? []
    }
  }

  /// A one-to-one is set on both sides.
  private static func ends(
    _ relationship: SchemaRelationship, _ owner: RecordID, _ target: RecordID?
  ) -> [RelationshipEnd] {
    var ends = [RelationshipEnd(relationship: relationship.index, owner: owner)]
    if relationship.isInverseToOne, let inverse = relationship.inverse, let target {
      ends.append(RelationshipEnd(relationship: inverse, owner: target))
    }
    return ends
  }

  /// A member that has one owner at most says itself whose it is.
  private static func memberEnd(_ relationship: SchemaRelationship, _ member: RecordID) -> RelationshipEnd? {
    guard relationship.isInverseToOne, let inverse = relationship.inverse else { return nil }
    return RelationshipEnd(relationship: inverse, owner: member)
  }

  /// A relationship that is its own inverse has two links for each pair.
  private static func links(
    _ relationship: SchemaRelationship, _ owner: RecordID, _ member: RecordID
  ) -> [Link] {
    var links = [Link(relationship, owner: owner, member: member)]
    if relationship.inverse == relationship.index {
      links.append(Link(relationship, owner: member, member: owner))
    }
    return links
  }
}

/// One attribute of one record.
struct ValuePlace: Hashable {
  var record: RecordID
  var column: Int
}
