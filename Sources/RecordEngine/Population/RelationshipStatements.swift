import OrderedCollections
import RecordModel

/// What the items of a response say of relationships. Rules: `population.relationships`, `relationships.*`.
struct RelationshipStatements {
  /// Whether some relationship of the model replaces: only then ``named`` and ``claimed`` are filled.
  let replaces: Bool
  var nulls: [RelationshipEnd] = []
  private(set) var lists: [MemberList] = []
  /// What records say of their to-ones: of two statements about one the last, in the place of the first.
  var toOnes = RelationshipEndTable<ToOneTarget>()
  /// The members that lists name, by list.
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
    /// Whether it is all there is. Rule: `relationships.replace`.
    var replaces: Bool
  }

  struct ToOneTarget {
    var record: RecordID
    var entity: EntityIndex
    var position: PopulationReport.Position?
  }

  /// - Parameter mayReplaceAnything: whether marshalers may have lists replaced.
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

  /// Notes what only lists that replace ask for.
  private mutating func note(_ list: MemberList) {
    let end = RelationshipEnd(relationship: list.relationship, owner: list.owner)
    named[end, default: []].formUnion(list.members)
    guard schema.relationships[list.relationship].isInverseToOne,
      let inverse = schema.relationships[list.relationship].inverse
    else { return }
    for member in list.members { claimed.insert(RelationshipEnd(relationship: inverse, owner: member)) }
  }

  /// Whether a record names the owner of a list in a list of its own. A to-one is set once all lists are.
  func states(_ member: RecordID, _ list: MemberList) -> Bool {
    guard let inverse = schema.relationships[list.relationship].inverse else { return false }
    return named[RelationshipEnd(relationship: inverse, owner: member)]?.contains(list.owner) ?? false
  }

  /// Whether the response gives a member another owner, by its own word or by another list.
  func hasNewOwner(_ member: RecordID, through inverse: RelationshipIndex) -> Bool {
    let end = RelationshipEnd(relationship: inverse, owner: member)
    return toOnes[end] != nil || claimed.contains(end)
  }
}
