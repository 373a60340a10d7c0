import JSONTree
package import RecordModel
package import ScenarioFormat

/// A matcher that decides whether a record fits an author's description, and how it differs.
package struct RecordMatcher {
  package let graph: GraphSnapshot
  /// The graph before the step, for records that the step deleted.
  package let before: GraphSnapshot
  package let model: Schema

  package func record(_ label: RecordLabel) -> RecordSnapshot? { graph[label] ?? before[label] }

  package func matches(_ member: MemberExpectation, _ label: RecordLabel) -> Bool {
    switch member {
    case .label(let expected): expected.value == label
    case .match(let match): record(label).map { matches(match, $0) } ?? false
    }
  }

  package func matches(_ match: RecordMatch, _ record: RecordSnapshot) -> Bool {
    model.isKind(record.entity, of: match.entity) && match.properties.allSatisfy { holds($0, of: record) }
  }

  package func holds(_ expectation: PropertyExpectation, of record: RecordSnapshot) -> Bool {
    let property = record.properties[expectation.name]
    switch expectation.value {
    case .attribute(nil), .noRecord: return property == nil
    case .attribute(let expected?):
      switch property {
      case .attribute(let value, _)?: return value == expected
      // The schema of an app's store can tell that a column is a reference, which a scenario does not.
      case .toOne(let label)?: return expected == .json(.string(label.rawValue))
      case .toMany?, nil: return false
      }
    case .record(let member):
      if case .toOne(let label)? = property { return matches(member, label) }
      return false
    case .exactly(let members):
      return holds(
        members, exactly: property?.links ?? [], isOrdered: isOrdered(expectation.name, of: record))
    case .contains(let members): return holds(members, among: property?.links ?? [])
    case .count(let count): return (property?.links ?? []).count == count
    }
  }

  /// Returns a Boolean value that indicates whether the members match exactly these labels.
  package func holds(_ members: [MemberExpectation], exactly labels: [RecordLabel], isOrdered: Bool) -> Bool {
    guard members.count == labels.count else { return false }
    return isOrdered
      ? zip(members, labels).allSatisfy { matches($0, $1) } : holds(members, among: labels)
  }

  /// Returns a Boolean value that indicates whether each member matches a different label.
  package func holds(_ members: [MemberExpectation], among labels: [RecordLabel]) -> Bool {
    assignment(of: members, to: labels).allSatisfy { $0 != nil }
  }

  /// Returns the index of the label for each member.
  package func assignment(of members: [MemberExpectation], to labels: [RecordLabel]) -> [Int?] {
    maximumMatching(members.map { member in labels.indices.filter { matches(member, labels[$0]) } })
  }

  package func isOrdered(_ name: PropertyName, of record: RecordSnapshot) -> Bool {
    if case .toMany(_, let isOrdered)? = record.properties[name] { return isOrdered }
    return model.relationship(name, of: record.entity)?.isOrdered ?? false
  }
}

// Differences of a record
extension RecordMatcher {
  /// Returns a difference for each property that does not match; empty if the record matches.
  package func differences(_ match: RecordMatch, from record: RecordSnapshot, step: Int?) -> [Difference] {
    match.properties.filter { !holds($0, of: record) }.map { difference($0, from: record, step: step) }
  }

  private func difference(
    _ expectation: PropertyExpectation, from record: RecordSnapshot, step: Int?
  ) -> Difference {
    let property = record.properties[expectation.name]
    let links = property?.links ?? []
    var kind = Difference.Kind.changed
    var actual = ValueText.of(property)
    var note: String?
    var lost: [RecordLabel] = []
    switch expectation.value {
    case .attribute, .noRecord: break
    case .record(.match(let match)):
      // For a nested description, the note names the properties that differ inside.
      if let label = links.first, let target = self.record(label) {
        let inside = differences(match, from: target, step: step)
        note = inside.isEmpty ? nil : "in \(label): \(inside.map(Self.summary).joined(separator: "; "))"
      }
    case .record(.label(let label)):
      if self.record(label.value) == nil {
        kind = .dangling
        note = self.note(onUnknown: [label.value])
        lost = [label.value]
      }
    case .exactly(let members):
      if members.count == links.count, holds(members, among: links) {
        kind = .order
        note = "the records are the same, in a different order"
      } else {
        note = unmatched(members, links, isExhaustive: true)
        lost = unknownLabels(in: members)
      }
    case .contains(let members):
      note = unmatched(members, links, isExhaustive: false)
      lost = unknownLabels(in: members)
    case .count: actual = counted(links.count, "record")
    }
    let (left, right) = ValueText.clipped(ValueText.of(expectation, of: record, model: model), actual)
    return Difference(
      kind, at: .expectation(expectation.span), step: step, record: record.label,
      property: expectation.name.rawValue, expected: left, actual: right,
      note: note.map { ValueText.clipped($0) }, lost: lost)
  }

  /// Returns a note about labels that no record has. It names the records with the same keys.
  package func note(onUnknown labels: [RecordLabel]) -> String {
    let namesakes = labels.flatMap { model.namesakes(of: $0) { record($0) != nil } }
    let advice =
      switch namesakes.count {
      case 0: ""
      case 1: "; the record with this key is \(namesakes[0])"
      default: "; the records with these keys are \(namesakes.map(\.rawValue).joined(separator: ", "))"
      }
    return "no record has the label \(labels.map(\.rawValue).joined(separator: ", "))\(advice)"
  }

  /// Returns the labels of members that no record has.
  private func unknownLabels(in members: [MemberExpectation]) -> [RecordLabel] {
    members.compactMap { member in
      if case .label(let label) = member, record(label.value) == nil { label.value } else { nil }
    }
  }

  /// Returns a note about the members that do not fit: labels without a record. If there are none, the first expected
  /// description without a counterpart, with the values of the most similar link. If there is none, the unexpected links.
  private func unmatched(
    _ members: [MemberExpectation], _ links: [RecordLabel], isExhaustive: Bool
  ) -> String? {
    let unknown = unknownLabels(in: members)
    if !unknown.isEmpty { return note(onUnknown: unknown) }
    let assignment = assignment(of: members, to: links)
    let taken = Set(assignment.compactMap(\.self))
    let free = links.indices.filter { !taken.contains($0) }.map { links[$0] }
    let unmet = zip(members, assignment).first { $0.1 == nil }?.0
    switch unmet {
    case .match(let match)?:
      let candidates = free.compactMap(record).map { ($0, differences(match, from: $0, step: nil)) }
      guard let (nearest, inside) = candidates.min(by: { $0.1.count < $1.1.count }), !inside.isEmpty else {
        return "without \(ValueText.of(match, model: model))"
      }
      return "in \(nearest.label): \(inside.map(Self.summary).joined(separator: "; "))"
    case .label?, nil:
      return free.isEmpty || !isExhaustive ? nil : "with \(free.map(\.rawValue).joined(separator: ", "))"
    }
  }

  package static func summary(_ difference: Difference) -> String {
    "\(difference.property ?? "") is \(difference.actual ?? ValueText.nothing), "
      + "not \(difference.expected ?? ValueText.nothing)"
  }
}

// Expectations as text
extension ValueText {
  package static func of(_ match: RecordMatch, model: Schema) -> String {
    let properties = match.properties.map { property in
      "\(property.name): \(of(property, entity: match.entity, model: model))"
    }
    return clipped("\(match.entity) {\(properties.joined(separator: ", "))}")
  }

  package static func of(_ member: MemberExpectation, model: Schema) -> String {
    switch member {
    case .label(let label): label.value.rawValue
    case .match(let match): of(match, model: model)
    }
  }

  package static func of(_ members: [MemberExpectation], model: Schema) -> String {
    "[" + members.map { of($0, model: model) }.joined(separator: ", ") + "]"
  }

  fileprivate static func of(
    _ expectation: PropertyExpectation, of record: RecordSnapshot, model: Schema
  ) -> String {
    of(expectation, entity: record.entity, model: model)
  }

  private static func of(
    _ expectation: PropertyExpectation, entity: EntityName, model: Schema
  ) -> String {
    switch expectation.value {
    case .attribute(nil), .noRecord: return nothing
    case .attribute(let value?):
      let type = model.attribute(expectation.name, of: entity)?.type ?? value.plainType
      return of(value.literal(type: type), type: type)
    case .record(let member): return of(member, model: model)
    case .exactly(let members): return of(members, model: model)
    case .contains(let members): return "at least " + of(members, model: model)
    case .count(let count): return counted(count, "record")
    }
  }
}

extension AttributeValue {
  /// A type that can hold the value, for a value whose attribute is unknown.
  fileprivate var plainType: AttributeType {
    switch self {
    case .integer: .int64
    case .double: .double
    case .decimal: .decimal
    case .boolean: .boolean
    case .string: .string
    case .date: .date
    case .binary: .binary
    case .uuid: .uuid
    case .uri: .uri
    case .json: .transformable
    }
  }
}
