import JSONTree
package import RecordEngine
import RecordModel
package import ScenarioFormat

/// A marshaler that populates records by a scenario's `customize:`.
struct DeclarativeMarshaler: Marshaler {
  let marshaling: DeclaredMarshaling
  let schema: Schema

  func value(_ conversion: ValueConversion) -> AttributeValue? {
    guard let values = marshaling.values[conversion.attribute] else { return conversion.standardValue }
    let text = conversion.rawValue.string ?? conversion.rawValue.value.compactText()
    return values[text] ?? conversion.standardValue
  }

  func attribute(_ name: PropertyName, of record: PopulatedRecord) -> AttributeDecision {
    switch marshaling.attributes[name] {
    case .value(let value): .value(value)
    case .path(let path):
      record.dictionary.flatMap { path.find(in: $0) }.map { .found($0.node.value) } ?? .leave
    case nil: .standard
    }
  }

  func relationship(
    _ name: PropertyName, of record: PopulatedRecord, links: [PopulatedRecord]?
  ) -> RelationshipDecision {
    guard let conditions = marshaling.relationships[name] else { return .standard }
    if conditions.leaveWhen.holds(for: record) { return .leave }
    if conditions.emptyWhen.holds(for: record) { return .replace([]) }
    guard conditions.linkWhere != nil, let links else { return .standard }
    return .link(links.filter { conditions.linkWhere.holds(for: $0) })
  }

  func child(_ item: JSONNode, of parent: PopulatedRecord, among children: [PopulatedRecord]) -> ChildDecision
  {
    guard let name = marshaling.childBy else { return .standard }
    guard let wanted = item[name.rawValue]?.value else { return .new }
    let found = children.first { child in
      guard let entity = schema.entity(child.entity), let position = entity.attributeIndices[name] else {
        return false
      }
      return child.value(of: name)?.literal(type: entity.attributes[position].type) == wanted
    }
    return found.map(ChildDecision.child) ?? .new
  }

  func merge(_ duplicates: DuplicateItems) -> MergedDictionary {
    marshaling.merge?.answer(duplicates) ?? .standard
  }

  func willPopulate(_ record: PopulatingRecord) { set(marshaling.before, in: record) }

  func didPopulate(_ record: PopulatingRecord) { set(marshaling.after, in: record) }

  private func set(_ assignments: [AroundAssignment], in record: PopulatingRecord) {
    for assignment in assignments {
      switch assignment.source {
      case .value(let value): record.setValue(value, of: assignment.attribute)
      case .countOf(let name):
        record.setValue(.integer(Int64(record.links(of: name).count)), of: assignment.attribute)
      }
    }
  }
}

extension DeclaredMerge {
  package func answer(_ duplicates: DuplicateItems) -> MergedDictionary {
    switch self {
    case .first: return .first
    case .last: return .other
    case .together:
      guard case .object(var members) = duplicates.first.value,
        case .object(let others) = duplicates.other.value
      else { return .standard }
      members.merge(others)
      return .dictionary(.object(members))
    }
  }
}

extension RecordPredicate? {
  /// Returns a Boolean value that indicates whether there is a predicate and the item of the record matches it.
  fileprivate func holds(for record: PopulatedRecord) -> Bool {
    guard let predicate = self, let dictionary = record.dictionary else { return false }
    return PredicateEvaluator(predicate).matches(dictionary)
  }
}
