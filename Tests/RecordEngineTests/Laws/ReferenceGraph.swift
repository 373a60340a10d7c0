import JSONTree
import RecordModel

/// A graph of records and links in plain dictionaries, for the reference implementation and for the contents of a
/// store.
struct ReferenceGraph {
  struct Record: Equatable {
    var entity: EntityName
    var isStub = false
    /// The attributes that have a value.
    var values: [PropertyName: JSONValue] = [:]
    /// The members of each relationship without duplicates. A to-one relationship has at most one member.
    var links: [PropertyName: [Int]] = [:]
  }

  let model: RandomModel
  /// The records by number. Numbers are never reused.
  var records: [Int: Record] = [:]
  private var lastNumber = 0

  init(_ model: RandomModel) { self.model = model }

  var numbers: [Int] { records.keys.sorted() }

  func members(_ owner: Int, _ relationship: PropertyName) -> [Int] {
    records[owner]?.links[relationship] ?? []
  }

  mutating func insert(_ record: Record) -> Int {
    lastNumber += 1
    records[lastNumber] = record
    return lastNumber
  }
}

// MARK: - Links

extension ReferenceGraph {
  /// Links two records on both sides. Each is removed from a to-one relationship that held another record.
  /// Rule: `relationships.inverse`.
  mutating func link(_ owner: Int, _ relationship: RelationshipDescription, _ member: Int) {
    if members(owner, relationship.name).contains(member) { return }
    if !relationship.isToMany {
      for former in members(owner, relationship.name) { unlink(owner, relationship, former) }
    }
    if let inverse = model.inverse(relationship) {
      if !inverse.isToMany {
        for former in members(member, inverse.name) { unlink(member, inverse, former) }
      }
      if !(owner == member && inverse.name == relationship.name) {
        records[member]?.links[inverse.name, default: []].append(owner)
      }
    }
    records[owner]?.links[relationship.name, default: []].append(member)
  }

  /// Removes the link between two records on both sides.
  mutating func unlink(_ owner: Int, _ relationship: RelationshipDescription, _ member: Int) {
    records[owner]?.links[relationship.name]?.removeAll { $0 == member }
    if let inverse = model.inverse(relationship) {
      records[member]?.links[inverse.name]?.removeAll { $0 == owner }
    }
  }
}

// MARK: - Validation

extension ReferenceGraph {
  /// Returns the properties that violate the model. Rule: `save.validation`.
  ///
  /// - Parameters:
  ///   - isStored: A Boolean value that indicates whether the record existed before, so that the parent that is its key
  ///     may be missing.
  ///   - before: The record as it was before the response; nil if this does not matter.
  func lacks(_ number: Int, isStored: Bool, before: Record? = nil) -> [PropertyName] {
    guard let record = records[number], !mayBeEmpty(number, isStored: isStored) else { return [] }
    let keys = model.keyAttributes(record.entity)?.map(\.name) ?? []
    let attributes = model.attributes(record.entity).filter {
      !$0.isOptional && !keys.contains($0.name) && record.values[$0.name] ?? .null == .null
    }
    let relationships = model.relationships(record.entity).filter { relationship in
      let count = members(number, relationship.name).count
      if count == 0 {
        // Only a deletion with a `noAction` rule has emptied it.
        let wasEmpty = before.map {
          !$0.isStub && $0.entity == record.entity && ($0.links[relationship.name] ?? []).isEmpty
        }
        return !relationship.isOptional && (relationship.isToMany || !(wasEmpty ?? false))
      }
      guard relationship.isToMany else { return false }
      return count < relationship.minCount || relationship.maxCount > 0 && count > relationship.maxCount
    }
    return attributes.map(\.name) + relationships.map(\.name)
  }

  /// Returns a Boolean value that indicates whether the record is a stub with the key by which a later save can fill
  /// it.
  func mayBeEmpty(_ number: Int, isStored: Bool) -> Bool {
    guard let record = records[number], record.isStub, let key = model.key(record.entity) else {
      return false
    }
    if isStored, model.keyRelationship(record.entity) != nil { return true }
    return key.properties.allSatisfy { record.values[$0] ?? .null != .null || !members(number, $0).isEmpty }
  }
}

// MARK: - Comparison

extension ReferenceGraph {
  /// Returns a color for each record of both graphs. Records have the same color only if their values and the colors of
  /// their members are equal, which distinguishes keyless records. (Color refinement.)
  ///
  /// - Parameter unordered: The ordered relationships to compare without their order.
  static func colors(
    _ left: ReferenceGraph, _ right: ReferenceGraph, unordered: Set<PropertyName> = []
  ) -> (left: [Int: Int], right: [Int: Int]) {
    var colors = [
      Dictionary(uniqueKeysWithValues: left.numbers.map { ($0, 0) }),
      Dictionary(uniqueKeysWithValues: right.numbers.map { ($0, 0) }),
    ]
    var count = 0
    while true {
      var known: [String: Int] = [:]
      var next: [[Int: Int]] = []
      for (graph, before) in zip([left, right], colors) {
        next.append(
          Dictionary(
            uniqueKeysWithValues: graph.numbers.map { number in
              let text = graph.signature(number, before, unordered)
              let color = known[text] ?? known.count
              known[text] = color
              return (number, color)
            }))
      }
      colors = next
      if known.count == count { return (colors[0], colors[1]) }
      count = known.count
    }
  }

  private func signature(_ number: Int, _ colors: [Int: Int], _ unordered: Set<PropertyName>) -> String {
    guard let record = records[number] else { return "" }
    var parts = ["\(colors[number] ?? -1) \(Self.text(record))"]
    for relationship in model.relationships(record.entity) {
      let members = (record.links[relationship.name] ?? []).map { colors[$0] ?? -1 }
      let keepsOrder = relationship.isOrdered && !unordered.contains(relationship.name)
      parts.append("\(relationship.name)=\(keepsOrder ? members : members.sorted())")
    }
    return parts.joined(separator: " ")
  }

  private static func text(_ record: Record) -> String {
    let values = record.values.filter { $0.value != .null }.sorted { $0.key < $1.key }
    return record.entity.rawValue + (record.isStub ? " (stub) " : " ")
      + values.map { "\($0.key)=\($0.value.compactText())" }.joined(separator: ",")
  }

  /// Returns a Boolean value that indicates whether both graphs have the same records with the same links.
  static func areEqual(
    _ left: ReferenceGraph, _ right: ReferenceGraph, unordered: Set<PropertyName> = []
  ) -> Bool {
    let colors = colors(left, right, unordered: unordered)
    return colors.left.values.sorted() == colors.right.values.sorted()
  }
}

extension ReferenceGraph: CustomStringConvertible {
  /// A line for each record, with its label.
  var description: String {
    let lines = numbers.compactMap { number -> String? in
      guard let record = records[number] else { return nil }
      let links = record.links.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
        .map { "\($0.key)→[\($0.value.map(label).joined(separator: ", "))]" }
      return "\(label(number)): \(Self.text(record)) \(links.joined(separator: " "))"
    }
    return lines.sorted().joined(separator: "\n")
  }

  /// Returns a label such as `Bee/7` or `Cat@Bee/7`, or the number of a record without a key and a parent.
  func label(_ number: Int) -> String {
    guard let record = records[number], let key = model.key(record.entity) else { return "?\(number)" }
    if let relationship = model.keyRelationship(record.entity) {
      guard let parent = members(number, relationship.name).first else { return "\(key.scope)~\(number)" }
      return "\(key.scope)@\(label(parent))"
    }
    let values = key.properties.map { record.values[$0]?.compactText() ?? "nil" }
    return values == values.map({ _ in "nil" })
      ? "\(key.scope)~\(number)" : "\(key.scope)/\(values.joined(separator: ","))"
  }
}
