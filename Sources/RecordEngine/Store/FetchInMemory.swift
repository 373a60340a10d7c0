import JSONTree
import OrderedCollections
import RecordModel

/// Where rows, and what they lead to, are read in groups.
package protocol RowSource {
  /// The rows in the order of `ids`; nil for records that are not there.
  mutating func rows(_ ids: [RecordID]) throws(StoreError) -> [Row?]

  /// The members of a to-many relationship of each owner: in their order if it is ordered, else oldest first.
  mutating func members(of relationship: RelationshipIndex, owners: [RecordID]) throws(StoreError)
    -> [[RecordID]]
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
    for keyPath in predicate.keyPaths { try related.load(keyPath.keys, of: rows, from: &source) }
    let evaluator = PredicateEvaluator(predicate)
    return rows.filter { evaluator.matches(RowSubject(related: related, row: $0)) }
  }

  /// Sorts rows by the sort descriptors, and equal rows from the oldest to the newest. Rule: `fetch.sort`.
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

  func members(of relationship: RelationshipIndex, owner: RecordID) -> [RecordID] {
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
    _ keys: [String], of rows: [Row], from source: inout some RowSource
  ) throws(StoreError) {
    var owners = rows
    for (position, name) in keys.map(PropertyName.init(_:)).enumerated() {
      // Sub-entities beside each other may mean different relationships by one name.
      var groups: OrderedDictionary<RelationshipIndex, [Row]> = [:]
      for row in owners {
        guard let relationship = schema.entities[row.entity].relationshipIndices[name] else { continue }
        groups[relationship, default: []].append(row)
      }
      let rest = keys.count - position - 1
      var next: OrderedDictionary<RecordID, Row> = [:]
      for (relationship, group) in groups {
        // Whether a to-one is nil is for its row to say: unsaved changes may have deleted it.
        let hasRows =
          rest == 0 ? !schema.relationships[relationship].isToMany : rest > 1 || keys.last != "@count"
        for row in try load(relationship, of: group, hasRows: hasRows, &source) { next[row.id] = row }
      }
      if next.isEmpty { return }
      owners = Array(next.values)
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

/// A row as predicates see it.
/// Rule: `predicate.sub-entity`.
struct RowSubject: PredicateSubject {
  let related: RelatedRows
  let row: Row

  /// - Complexity: linear in the keys, times the records that the path leads to. A record that it reaches in several ways is
  ///   followed once, and a long path takes no machine stack.
  func value(at keyPath: [String]) -> PredicateValue {
    var row = row
    var keys = keyPath[...]
    while let key = keys.popFirst() {
      switch step(key, behind: row, keys) {
      case .value(let value): return value
      case .row(let next): row = next
      case .members(let members): return value(at: keys, of: members)
      }
    }
    return .record(row.id)
  }

  /// What one key leads to.
  private enum Step {
    case value(PredicateValue)
    case row(Row)
    case members([RecordID])
  }

  private func step(_ key: String, behind row: Row, _ rest: ArraySlice<String>) -> Step {
    let name = PropertyName(key)
    let entity = related.schema.entities[row.entity]
    if let position = entity.attributeIndices[name] {
      let attribute = entity.attributes[position]
      guard rest.isEmpty, let value = row.values[attribute.column] else { return .value(.null) }
      return .value(PredicateValue(value, attribute.type))
    }
    guard let index = entity.relationshipIndices[name] else { return .value(.null) }
    if let slot = related.schema.relationships[index].slot {
      return row.toOnes[slot].flatMap(related.row).map(Step.row) ?? .value(.null)
    }
    let members = related.members(of: index, owner: row.id)
    return rest == ["@count"] ? .value(.number(JSONNumber(Int64(members.count)))) : .members(members)
  }

  /// A row that a path leads to through to-manys.
  private struct FoundRow {
    var row: Row
    /// The number of to-manys on the way; 2 stands for more.
    var depth: Int
  }

  /// What the other keys find in the members of a to-many.
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
      var met: [Set<RecordID>] = [[], [], []]
      found = next.filter { met[$0.depth].insert($0.row.id).inserted }
    }
    for owner in found { findings.add(.record(owner.row.id), depth: owner.depth) }
    return findings.value
  }

  /// - Parameter isEnd: whether the members are the values themselves.
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
