import JSONTree
import OrderedCollections
import RecordModel

/// Where rows, and what they lead to, are read in groups.
package protocol RowSource {
  /// The rows in the order of `ids`; nil for records that are not there.
  mutating func rows(_ ids: [RecordID]) throws(StoreError) -> [Row?]

  /// The members of a to-many relationship of each owner: in their order if it is ordered, else oldest first.
  mutating func members(of relationship: Int, owners: [RecordID]) throws(StoreError) -> [[RecordID]]
}

extension StoreFetch {
  /// The answer, looked for among rows of the entity in any order.
  ///
  /// What key paths lead to is read in one go for each relationship on them, however many rows there are.
  package func answer(
    among rows: [Row], schema: Schema, from source: inout some RowSource
  ) throws(StoreError) -> [Row] {
    page(of: try sorted(try matches(among: rows, schema, from: &source), schema, from: &source))
  }

  /// The rows for which the predicate holds, in the order they came.
  func matches(
    among rows: [Row], _ schema: Schema, from source: inout some RowSource
  ) throws(StoreError) -> [Row] {
    guard let predicate else { return rows }
    var related = RelatedRows(schema: schema)
    for keyPath in predicate.keyPaths { try related.load(keyPath.keys[...], of: rows, from: &source) }
    let evaluator = PredicateEvaluator(predicate)
    return rows.filter { evaluator.matches(RowSubject(related: related, row: $0)) }
  }

  func sorted(
    _ rows: [Row], _ schema: Schema, from source: inout some RowSource
  ) throws(StoreError) -> [Row] {
    var related = RelatedRows(schema: schema)
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

/// What the key paths of a fetch lead to from its rows.
struct RelatedRows {
  let schema: Schema
  private var rows: [RecordID: Row] = [:]
  private var members: [RelationshipEnd: [RecordID]] = [:]

  init(schema: Schema) { self.schema = schema }

  func row(_ id: RecordID) -> Row? { rows[id] }

  func members(of relationship: Int, owner: RecordID) -> [RecordID] {
    members[RelationshipEnd(relationship: relationship, owner: owner)] ?? []
  }

  /// The value that a sort descriptor sorts a row by.
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

  mutating func load(
    _ keys: ArraySlice<String>, of owners: [Row], from source: inout some RowSource
  ) throws(StoreError) {
    guard let name = keys.first.map(PropertyName.init(_:)) else { return }
    // Sub-entities beside each other may mean different relationships by one name.
    var groups: OrderedDictionary<Int, [Row]> = [:]
    for row in owners {
      guard let relationship = schema.entities[row.entity].relationshipIndices[name] else { continue }
      groups[relationship, default: []].append(row)
    }
    for (relationship, group) in groups {
      let rest = keys.dropFirst()
      // Whether a to-one is nil is for its row to say: unsaved changes may have deleted it.
      let hasRows = rest.isEmpty ? !schema.relationships[relationship].isToMany : rest != ["@count"]
      let next = try load(relationship, of: group, hasRows: hasRows, &source)
      try load(rest, of: next, from: &source)
    }
  }

  mutating func load(
    _ sort: StoreSort, of rows: [Row], from source: inout some RowSource
  ) throws(StoreError) {
    var rows = rows
    for relationship in sort.path { rows = try load(relationship, of: rows, hasRows: true, &source) }
  }

  /// Reads who is at the other end, and the rows of these where they are asked for.
  private mutating func load(
    _ relationship: Int, of owners: [Row], hasRows: Bool, _ source: inout some RowSource
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

/// A row as predicates see it.
struct RowSubject: PredicateSubject {
  let related: RelatedRows
  let row: Row

  func value(at keyPath: [String]) -> PredicateValue { value(at: keyPath[...], of: row) }

  private func value(at keyPath: ArraySlice<String>, of row: Row) -> PredicateValue {
    guard let name = keyPath.first.map(PropertyName.init(_:)) else { return .record(row.id) }
    let schema = related.schema
    let entity = schema.entities[row.entity]
    let rest = keyPath.dropFirst()
    if let position = entity.attributePositions[name] {
      let attribute = entity.attributes[position]
      guard rest.isEmpty, let value = row.values[attribute.column] else { return .null }
      return PredicateValue(value, attribute.type)
    }
    guard let index = entity.relationshipIndices[name] else { return .null }
    if let slot = schema.relationships[index].slot {
      return row.toOnes[slot].flatMap(related.row).map { value(at: rest, of: $0) } ?? .null
    }
    let members = related.members(of: index, owner: row.id)
    if rest.isEmpty { return .list(members.map(PredicateValue.record)) }
    if rest == ["@count"] { return .number(JSONNumber(Int64(members.count))) }
    return .list(members.map { related.row($0).map { value(at: rest, of: $0) } ?? .null })
  }
}

extension PredicateValue {
  static func record(_ id: RecordID) -> PredicateValue { .opaque(String(id.rawValue)) }

  /// An attribute's value as predicates see it: binary data, numbers that are infinite or none, and transformable
  /// values that are no scalar are opaque.
  init(_ value: AttributeValue, _ type: AttributeType) {
    switch value {
    case .boolean(let value): self = .boolean(value)
    case .date(let value): self = .date(value)
    case .string(let value): self = .string(value)
    case .integer(let value): self = .number(JSONNumber(value))
    case .json(let value): self = JSONDocument(value).root.value(at: [])
    case .uuid, .uri:
      self = value.literal(type: type).text.map(PredicateValue.string) ?? .null
    case .double, .decimal:
      if case .number(let number) = value.literal(type: type) {
        self = .number(number)
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
