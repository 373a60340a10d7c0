import RecordModel

extension PredicateSQL {
  /// An operand of a comparison.
  indirect enum Operand {
    case value(PredicateValue)
    /// One value for each row.
    case scalar(Scalar)
    /// Several values, through a to-many.
    case members(MemberPath)
    case list([Operand])
  }

  /// An SQL expression with one value, which is NULL for nil.
  struct Scalar {
    var sql: String
    var type: ScalarType
  }

  enum ScalarType: Hashable {
    case attribute(AttributeType)
    /// The number of members of a to-many.
    case count
    /// The serial number of a record in a tree.
    case record(tree: TreeIndex)
  }

  /// A key path through one or more consecutive to-manys, with to-ones before and after them.
  struct MemberPath {
    var toOnesBefore: [RelationshipIndex] = []
    var toManys: [RelationshipIndex]
    var toOnesBehind: [RelationshipIndex] = []
    var end: PathEnd

    var endsInTransformable: Bool { if case .attribute(.transformable, _) = end { true } else { false } }
  }

  /// The end of a key path.
  enum PathEnd {
    /// An attribute. Sub-entities can have attributes with the same name, but a row has a value in at most one of the
    /// columns.
    case attribute(AttributeType, columns: [ColumnIndex])
    case count(of: RelationshipIndex)
    case record
    /// An unknown property, or a path that continues after an attribute.
    case nothing
  }

  /// Returns the operand for a side of a comparison; nil if SQL cannot evaluate it.
  mutating func operand(_ operand: PredicateOperand, at reference: RowReference) -> Operand? {
    switch operand {
    case .value(let value): return .value(value)
    case .list(let elements):
      var operands: [Operand] = []
      for element in elements {
        guard let operand = self.operand(element, at: reference) else { return nil }
        operands.append(operand)
      }
      return .list(operands)
    case .keyPath(let keys):
      guard let (relationships, end) = resolve(keys, reference.entity) else { return nil }
      if case .nothing = end {
        // After a to-many, this would be one nil for each member.
        return relationships.contains { schema.relationships[$0].isToMany } ? nil : .value(.null)
      }
      guard relationships.contains(where: { schema.relationships[$0].isToMany }) else {
        return scalar(relationships[...], end, at: reference).map(Operand.scalar)
      }
      return memberPath(relationships, end).map(Operand.members)
    }
  }

  // MARK: Resolving names

  /// Returns the relationships and the end that the keys name; nil if they differ between an entity and its
  /// sub-entities.
  private func resolve(_ keys: [String], _ entity: EntityIndex) -> (
    relationships: [RelationshipIndex], end: PathEnd
  )? {
    // Longer paths would exceed the maximum depth in any case.
    guard keys.count <= Self.greatestDepth else { return nil }
    var entity = entity
    var relationships: [RelationshipIndex] = []
    for (position, key) in keys.enumerated() {
      let isLast = position == keys.count - 1
      if key == "@count", let last = relationships.last, schema.relationships[last].isToMany {
        return (relationships.dropLast(), .count(of: last))
      }
      let name = PropertyName(key)
      let candidates = schema.kinds(of: entity).sorted().map { schema.entities[$0] }
      let attributes = candidates.compactMap { candidate in
        candidate.attributeIndices[name].map { candidate.attributes[$0] }
      }
      let found = Set(candidates.compactMap { $0.relationshipIndices[name] })
      guard let relationship = found.first else {
        guard isLast, let type = attributes.first?.type else { return (relationships, .nothing) }
        // Values of different types are compared differently.
        guard attributes.allSatisfy({ $0.type == type }) else { return nil }
        return (relationships, .attribute(type, columns: Set(attributes.map(\.column)).sorted()))
      }
      // A to-many that only some sub-entities have is a list for them, and nil for all others.
      let isOfAll = candidates.allSatisfy { $0.relationshipIndices[name] == relationship }
      guard found.count == 1, attributes.isEmpty, isOfAll || !schema.relationships[relationship].isToMany
      else { return nil }
      relationships.append(relationship)
      entity = schema.relationships[relationship].destination
    }
    return (relationships, .record)
  }

  /// Returns the path through members; nil in these cases:
  ///
  /// - A to-one is between to-manys. If it is nil, this nil is itself a member.
  /// - A member can be reached in several ways and has further members. SQL would follow each way, and the numbers of
  ///   ways multiply.
  private func memberPath(_ relationships: [RelationshipIndex], _ end: PathEnd) -> MemberPath? {
    func isToMany(_ relationship: RelationshipIndex) -> Bool { schema.relationships[relationship].isToMany }
    let before = relationships.prefix { !isToMany($0) }
    let toManys = relationships[before.endIndex...].prefix(while: isToMany)
    // A further to-many behind them has no single value, so `scalar` returns nil for it.
    let behind = relationships[toManys.endIndex...]
    // Relationships with a to-one inverse reach each member once.
    let shared = toManys.dropFirst().firstIndex { !schema.relationships[$0].isInverseToOne }
    guard shared == nil || shared == toManys.indices.last else { return nil }
    return MemberPath(
      toOnesBefore: Array(before), toManys: Array(toManys), toOnesBehind: Array(behind), end: end)
  }

  // MARK: SQL

  /// Returns the value at the end of a path of to-ones. Each to-one is a nested query by primary key.
  mutating func scalar(_ toOnes: ArraySlice<RelationshipIndex>, _ end: PathEnd, at reference: RowReference)
    -> Scalar?
  {
    guard let first = toOnes.first.map({ schema.relationships[$0] }) else {
      return scalar(end, at: reference)
    }
    guard let slot = first.slot else { return nil }
    let destination = schema.entities[first.destination]
    let column = "\(reference.alias).\(table(reference.entity).toOnes[for: slot].column.quoted)"
    if toOnes.count == 1, case .record = end {
      return Scalar(sql: column, type: .record(tree: destination.tree))
    }
    let next = newReference(first.destination)
    return nested(5) { sql in sql.scalar(toOnes.dropFirst(), end, at: next) }.map { inner in
      let name = "\(table(next.entity).name.quoted) AS \(next.alias)"
      return Scalar(
        sql: "(SELECT \(inner.sql) FROM \(name) WHERE \(id(next)) = \(column))", type: inner.type)
    }
  }

  private mutating func scalar(_ end: PathEnd, at reference: RowReference) -> Scalar? {
    switch end {
    case .attribute(let type, let columns):
      let names = columns.map { "\(reference.alias).\(table(reference.entity).columns[for: $0].quoted)" }
      return Scalar(
        sql: names.count == 1 ? names[0] : "COALESCE(\(names.joined(separator: ", ")))",
        type: .attribute(type))
    case .count(let relationship):
      return nested(8) { sql in
        sql.count(of: sql.schema.relationships[relationship], at: reference).map {
          Scalar(sql: $0, type: .count)
        }
      }
    case .record:
      return Scalar(sql: id(reference), type: .record(tree: schema.entities[reference.entity].tree))
    case .nothing: return nil
    }
  }

  private mutating func count(of relationship: SchemaRelationship, at reference: RowReference) -> String? {
    if let links = links(of: relationship) {
      return "(SELECT COUNT(*) FROM \(links.table) WHERE \(links.owner) = \(ownerID(reference)))"
    }
    let member = newReference(relationship.destination)
    guard let membership = membership(of: relationship, owner: ownerID(reference), member) else { return nil }
    return "(SELECT COUNT(*) FROM \(membership.source) WHERE \(membership.condition))"
  }

  /// Returns a condition that holds if the path has a member for which the passed condition holds.
  mutating func exists(
    _ path: MemberPath, from reference: RowReference, where condition: (inout PredicateSQL, Scalar) -> String?
  ) -> String? {
    guard path.toManys.count <= Self.greatestToManyCount else { return nil }
    return nested(10) { sql in sql.membersExist(path, from: reference, where: condition) }
  }

  private mutating func membersExist(
    _ path: MemberPath, from reference: RowReference, where condition: (inout PredicateSQL, Scalar) -> String?
  ) -> String? {
    var owner = ownerID(reference)
    if !path.toOnesBefore.isEmpty {
      guard let scalar = scalar(path.toOnesBefore[...], .record, at: reference) else { return nil }
      owner = scalar.sql
    }
    var sources: [String] = []
    var conditions: [String] = []
    var member = reference
    for relationship in path.toManys.map({ schema.relationships[$0] }) {
      member = newReference(relationship.destination)
      guard let membership = membership(of: relationship, owner: owner, member) else { return nil }
      sources.append(membership.source)
      conditions.append(membership.condition)
      owner = ownerID(member)
    }
    guard let value = scalar(path.toOnesBehind[...], path.end, at: member),
      let condition = condition(&self, value)
    else { return nil }
    conditions.append(condition)
    return "EXISTS (SELECT 1 FROM \(sources.joined(separator: ", ")) WHERE \(Self.conjunction(conditions)))"
  }

  /// Returns the tables that contain the members of an owner, and the condition that selects them.
  private mutating func membership(
    of relationship: SchemaRelationship, owner: String, _ member: RowReference
  ) -> (source: String, condition: String)? {
    let table = table(member.entity)
    let source = "\(table.name.quoted) AS \(member.alias)"
    if let links = links(of: relationship) {
      let condition = "\(links.owner) = \(owner) AND \(id(member)) = \(links.member)"
      return ("\(links.table), \(source)", condition)
    }
    guard let slot = relationship.inverse.flatMap({ schema.relationships[$0].slot }) else { return nil }
    return (source, "\(member.alias).\(table.toOnes[for: slot].column.quoted) = \(owner)")
  }

  private mutating func links(
    of relationship: SchemaRelationship
  ) -> (table: String, owner: String, member: String)? {
    guard let name = relationship.linkRelationship, let table = layout.linkTables[for: name] else {
      return nil
    }
    let alias = newAlias()
    let columns = ["\(alias).owner", "\(alias).member"]
    let isReversed = name != relationship.index
    return (
      "\(table.name.quoted) AS \(alias)", columns[isReversed ? 1 : 0], columns[isReversed ? 0 : 1]
    )
  }

  func table(_ entity: EntityIndex) -> SQLiteLayout.Table { layout.tables[for: schema.entities[entity].tree] }

  func id(_ reference: RowReference) -> String { "\(reference.alias).\(SQLiteLayout.id.quoted)" }

  /// Returns the serial number of a row, for a comparison with an untyped column. The unary plus removes the type
  /// affinity of the primary key. With it, SQLite would convert every value of the column to a number, and not use the
  /// index of the column.
  private func ownerID(_ reference: RowReference) -> String { "+\(id(reference))" }
}
