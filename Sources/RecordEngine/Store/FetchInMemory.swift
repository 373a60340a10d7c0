import JSONTree
import OrderedCollections
import RecordModel

/// A source of rows and their relationships, which reads groups of records.
package protocol RowSource {
  /// Returns the rows in the order of `ids`; nil for records that do not exist.
  mutating func rows(_ ids: [RecordID]) throws(StoreError) -> [Row?]

  /// Returns the members of a to-many relationship of each owner: in their order if it is ordered, otherwise oldest
  /// first.
  mutating func members(of relationship: RelationshipIndex, owners: [RecordID]) throws(StoreError)
    -> [[RecordID]]
}

extension StoreFetch {
  /// Returns the result of the fetch among rows of the entity, which may be in any order.
  ///
  /// Each relationship of the key paths is read with one query, regardless of the number of rows.
  package func answer(
    among rows: [Row], schema: Schema, from source: inout some RowSource
  ) throws(StoreError) -> [Row] {
    page(of: try sorted(try matches(among: rows, schema, from: &source), schema, from: &source))
  }

  /// Returns the rows for which the predicate holds, in their original order.
  func matches(
    among rows: [Row], _ schema: Schema, from source: inout some RowSource
  ) throws(StoreError) -> [Row] {
    guard let predicate else { return rows }
    let related = RelatedRows(schema: schema)
    for keyPath in predicate.keyPaths where RowPath(keyPath.keys, of: entity, schema).attribute == nil {
      try related.load(keyPath.keys, of: rows, from: &source)
    }
    let evaluator = PredicateEvaluator<RowSubject>(predicate) { RowPath($0, of: entity, schema) }
    return rows.filter { evaluator.matches(RowSubject(related: related, row: $0)) }
  }

  /// Sorts rows by the sort descriptors, and equal rows from the oldest to the newest. Rule: `fetch.sort`.
  func sorted(
    _ rows: [Row], _ schema: Schema, from source: inout some RowSource
  ) throws(StoreError) -> [Row] {
    if sort.isEmpty, zip(rows, rows.dropFirst()).allSatisfy({ $0.id < $1.id }) { return rows }
    let related = RelatedRows(schema: schema)
    for sort in sort { try related.load(sort, of: rows, from: &source) }
    let keyed = rows.map { row in (row: row, values: sort.map { related.value($0, of: row) }) }
    return keyed.sorted { left, right in
      for (index, sort) in sort.enumerated() {
        let (left, right) = (left.values[index], right.values[index])
        if AttributeValue.areInIncreasingOrder(left, right) { return sort.isAscending }
        if AttributeValue.areInIncreasingOrder(right, left) { return !sort.isAscending }
      }
      return left.row.id < right.row.id
    }.map(\.row)
  }
}

/// The rows and members that the key paths of a fetch reach.
final class RelatedRows {
  let schema: Schema
  private var rows: [RecordID: Row] = [:]
  private var members: [RelationshipEnd: [RecordID]] = [:]

  init(schema: Schema) { self.schema = schema }

  func row(_ id: RecordID) -> Row? { rows[id] }

  func members(of relationship: RelationshipIndex, owner: RecordID) -> [RecordID] {
    members[RelationshipEnd(relationship: relationship, owner: owner)] ?? []
  }

  /// Returns the value by which a sort descriptor sorts a row.
  func value(_ sort: StoreSort, of row: Row) -> AttributeValue? {
    var row = row
    for relationship in sort.path {
      guard let next = schema.relationships[relationship].slot.flatMap({ row.toOnes[$0] }).flatMap(self.row)
      else { return nil }
      row = next
    }
    return row.values[sort.column]
  }

  // MARK: Loading

  func load(
    _ keys: [String], of rows: [Row], from source: inout some RowSource
  ) throws(StoreError) {
    var owners = rows
    for (position, name) in keys.map(PropertyName.init(_:)).enumerated() {
      // Sibling sub-entities can have different relationships with the same name.
      var groups: OrderedDictionary<RelationshipIndex, [Row]> = [:]
      for (entity, rows) in OrderedDictionary(grouping: owners, by: \.entity) {
        guard let relationship = schema.entities[entity].relationshipIndices[name] else { continue }
        groups[relationship, default: []] += rows
      }
      let remaining = keys.count - position - 1
      var next: OrderedDictionary<RecordID, Row> = [:]
      for (relationship, group) in groups {
        // The row at the end of a to-one determines whether the to-one is nil, because unsaved changes may have deleted
        // it.
        let hasRows =
          remaining == 0
          ? !schema.relationships[relationship].isToMany : remaining > 1 || keys.last != "@count"
        for row in try load(relationship, of: group, hasRows: hasRows, &source) { next[row.id] = row }
      }
      if next.isEmpty { return }
      owners = Array(next.values)
    }
  }

  func load(
    _ sort: StoreSort, of rows: [Row], from source: inout some RowSource
  ) throws(StoreError) {
    var rows = rows
    for relationship in sort.path { rows = try load(relationship, of: rows, hasRows: true, &source) }
  }

  /// Reads the records at the other end, and their rows if these are needed.
  private func load(
    _ relationship: RelationshipIndex, of owners: [Row], hasRows: Bool, _ source: inout some RowSource
  ) throws(StoreError) -> [Row] {
    var ids: OrderedSet<RecordID> = []
    if let slot = schema.relationships[relationship].slot {
      ids.append(contentsOf: owners.compactMap { $0.toOnes[slot] })
    } else {
      let missing = owners.map(\.id).filter {
        members[RelationshipEnd(relationship: relationship, owner: $0)] == nil
      }
      if !missing.isEmpty {
        for (owner, found) in zip(missing, try source.members(of: relationship, owners: missing)) {
          members[RelationshipEnd(relationship: relationship, owner: owner)] = found
        }
      }
      for owner in owners { ids.append(contentsOf: members(of: relationship, owner: owner.id)) }
    }
    guard hasRows else { return [] }
    let missing = ids.filter { rows[$0] == nil }
    if !missing.isEmpty {
      for case let row? in try source.rows(Array(missing)) { rows[row.id] = row }
    }
    return ids.compactMap { rows[$0] }
  }
}

/// A key path of the rows of an entity and its sub-entities.
struct RowPath {
  let keys: [String]
  /// The attribute at the end of the path, if the path is the name of an attribute of the entity.
  let attribute: (column: ColumnIndex, type: AttributeType)?

  init(_ keys: [String], of entity: EntityIndex, _ schema: Schema) {
    self.keys = keys
    let name = keys.count == 1 ? PropertyName(keys[0]) : nil
    attribute = name.flatMap { schema.entities[entity].attributeIndices[$0] }.map {
      schema.entities[entity].layout(of: $0)
    }
  }
}

/// A row as the subject of predicates. Rule: `predicate.sub-entity`.
struct RowSubject: PredicateSubject {
  let related: RelatedRows
  let row: Row

  /// Returns the value at a key path.
  ///
  /// - Complexity: linear in the number of keys times the number of records that the path reaches. A record that is
  ///   reached in several ways is followed once. Long paths need no additional stack, because the search is not
  ///   recursive.
  func value(at path: RowPath) -> PredicateValue {
    if let (column, type) = path.attribute {
      return row.values[column].map { PredicateValue($0, type) } ?? .null
    }
    var row = row
    var keys = path.keys[...]
    while let key = keys.popFirst() {
      switch step(key, behind: row, keys) {
      case .value(let value): return value
      case .row(let next): row = next
      case .members(let members): return value(at: keys, of: members)
      }
    }
    return .record(row.id)
  }

  /// The result of following one key.
  private enum Step {
    case value(PredicateValue)
    case row(Row)
    case members([RecordID])
  }

  private func step(_ key: String, behind row: Row, _ remaining: ArraySlice<String>) -> Step {
    let name = PropertyName(key)
    let entity = row.entity
    if let position = related.schema.entities[entity].attributeIndices[name] {
      let (column, type) = related.schema.entities[entity].layout(of: position)
      guard remaining.isEmpty, let value = row.values[column] else { return .value(.null) }
      return .value(PredicateValue(value, type))
    }
    guard let index = related.schema.entities[entity].relationshipIndices[name] else { return .value(.null) }
    if let slot = related.schema.relationships[index].slot {
      return row.toOnes[slot].flatMap(related.row).map(Step.row) ?? .value(.null)
    }
    let members = related.members(of: index, owner: row.id)
    return remaining == ["@count"] ? .value(.integer(Int64(members.count))) : .members(members)
  }

  /// A row that a path reaches through to-many relationships.
  private struct FoundRow {
    var row: Row
    /// The number of to-many relationships on the path; 2 stands for two or more.
    var depth: Int
  }

  /// Returns the value that the remaining keys reach from the members of a to-many relationship.
  private func value(at keys: ArraySlice<String>, of members: [RecordID]) -> PredicateValue {
    var findings = PredicateFindings()
    var found: [FoundRow] = []
    add(members, depth: 0, isEnd: keys.isEmpty, to: &found, &findings)
    var keys = keys
    while !found.isEmpty, let key = keys.popFirst() {
      var next: [FoundRow] = []
      for owner in found {
        switch step(key, behind: owner.row, keys) {
        case .value(let value): findings.add(value, depth: owner.depth)
        case .row(let row): next.append(FoundRow(row: row, depth: owner.depth))
        case .members(let members):
          add(members, depth: owner.depth, isEnd: keys.isEmpty, to: &next, &findings)
        }
      }
      var visited: [Set<RecordID>] = [[], [], []]
      found = next.filter { visited[$0.depth].insert($0.row.id).inserted }
    }
    for owner in found { findings.add(.record(owner.row.id), depth: owner.depth) }
    return findings.value
  }

  /// - Parameter isEnd: a Boolean value that indicates whether the path ends with the members.
  private func add(
    _ members: [RecordID], depth: Int, isEnd: Bool, to rows: inout [FoundRow],
    _ findings: inout PredicateFindings
  ) {
    findings.addList(depth: depth)
    let depth = min(depth + 1, 2)
    for member in members {
      if isEnd {
        findings.add(.record(member), depth: depth)
      } else if let row = related.row(member) {
        rows.append(FoundRow(row: row, depth: depth))
      } else {
        findings.add(.null, depth: depth)
      }
    }
  }
}

extension SchemaEntity {
  /// Returns where the rows have the value of an attribute, and its type.
  fileprivate func layout(of attribute: AttributeIndex) -> (column: ColumnIndex, type: AttributeType) {
    (attributes[attribute].column, attributes[attribute].type)
  }
}

extension PredicateValue {
  static func record(_ id: RecordID) -> PredicateValue { .opaque(String(id.rawValue)) }

  /// Creates the value of an attribute for predicates. Binary data, numbers that are infinite or NaN, and transformable
  /// values that are not scalars are opaque.
  init(_ value: AttributeValue, _ type: AttributeType) {
    switch value {
    case .boolean(let value): self = .boolean(value)
    case .date(let value): self = .date(value)
    case .string(let value): self = .string(value)
    case .integer(let value): self = .integer(value)
    case .json(let value): self = JSONDocument(value).root.value(at: [])
    case .uuid, .uri:
      self = value.literal(type: type).text.map(PredicateValue.string) ?? .null
    case .double, .decimal:
      if case .number(let number) = value.literal(type: type) {
        self = PredicateValue(number)
      } else {
        self = .opaque(value.literal(type: type).compactText())
      }
    case .binary: self = .opaque(value.literal(type: type).compactText())
    }
  }
}

extension JSONValue {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
