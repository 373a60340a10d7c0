import OrderedCollections
import RecordModel

/// The statements of the items of a response about relationships. Rules: `population.relationships`, `relationships.*`.
struct RelationshipStatements {
  /// A Boolean value that indicates whether any relationship may replace its members. Only then, ``named`` and
  /// ``claimed`` are filled.
  let replaces: Bool
  var nulls: [RelationshipEnd] = []
  /// The links to the records of tombstones. Any other statement takes precedence over them, so that the result does not
  /// depend on whether the record still exists.
  var tombstones: [(end: RelationshipEnd, member: RecordID)] = []
  private(set) var lists: [MemberList] = []
  /// The targets of to-ones that records state themselves. Of two statements about the same to-one, the last one
  /// counts, at the position of the first.
  var toOnes = RelationshipEndTable<ToOneTarget>()
  /// The members that each list names.
  private var named: [RelationshipEnd: Set<RecordID>] = [:]
  /// The to-ones of members that lists claim.
  private var claimed: Set<RelationshipEnd> = []
  private let schema: Schema

  struct MemberList {
    var relationship: RelationshipIndex
    var owner: RecordID
    var members: [RecordID]
    var entity: EntityIndex
    var position: PopulationReport.Position?
    /// A Boolean value that indicates whether the list is complete, so that other members leave.
    /// Rule: `relationships.replace`.
    var replaces = false
  }

  struct ToOneTarget {
    var record: RecordID
    var entity: EntityIndex
    var position: PopulationReport.Position?
  }

  /// Creates an empty collection of statements.
  ///
  /// - Parameter mayReplaceAnything: a Boolean value that indicates whether marshalers may replace members of any
  ///   relationship.
  init(_ schema: Schema, mayReplaceAnything: Bool, count: Int) {
    self.schema = schema
    replaces =
      mayReplaceAnything || schema.relationships.contains { $0.isToMany && $0.assignment == .replace }
    toOnes.reserveCapacity(count)
  }

  mutating func add(_ list: MemberList) {
    if replaces { note(list) }
    lists.append(list)
  }

  /// Collects the information that only replacing lists need.
  private mutating func note(_ list: MemberList) {
    let end = RelationshipEnd(relationship: list.relationship, owner: list.owner)
    named[end, default: []].formUnion(list.members)
    guard schema.relationships[list.relationship].isInverseToOne,
      let inverse = schema.relationships[list.relationship].inverse
    else { return }
    for member in list.members { claimed.insert(RelationshipEnd(relationship: inverse, owner: member)) }
  }

  /// Returns a Boolean value that indicates whether a record names the owner of a list in its own list. To-ones are not
  /// considered, because they are set after all lists.
  func states(_ member: RecordID, _ list: MemberList) -> Bool {
    guard let inverse = schema.relationships[list.relationship].inverse else { return false }
    return named[RelationshipEnd(relationship: inverse, owner: member)]?.contains(list.owner) ?? false
  }

  /// Returns a Boolean value that indicates whether the response assigns another owner to a member, by a to-one or by
  /// another list.
  func hasNewOwner(_ member: RecordID, through inverse: RelationshipIndex) -> Bool {
    let end = RelationshipEnd(relationship: inverse, owner: member)
    return toOnes[end] != nil || claimed.contains(end)
  }
}
