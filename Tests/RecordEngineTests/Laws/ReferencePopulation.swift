import JSONTree
import RecordEngine
import RecordModel

/// A second implementation of the rules, which is slow and obvious. It imports a response into a graph of plain values.
///
/// It is based only on the text of the rules, and covers the models of `RandomModel`. All searches are linear, so it is
/// suitable only for small responses. Each step of `population.*` is one method.
struct ReferencePopulation {
  let model: RandomModel
  var graph: ReferenceGraph
  let stored: ReferenceGraph

  /// An occurrence of an item in the response.
  struct Mention {
    /// The number of the item, in depth-first order.
    var number: Int
    var entity: EntityName
    var item: JSONValue
    var isScalar: Bool
    var isFull = false
    /// A Boolean value that indicates whether the item creates a stub if no other item creates the record.
    var makesStub = true
    /// The values of attributes, including null.
    var attributes: [PropertyName: JSONValue] = [:]
    var children: [PropertyName: Children] = [:]

    var makesRecord: Bool { isFull || makesStub }
  }

  /// The items in the value of a relationship.
  struct Children {
    var isNull = false
    /// The protos to link.
    var linked: [Int] = []
    /// The protos to populate without linking them.
    var populated: [Int] = []
    /// A Boolean value that indicates whether an item of a list was omitted.
    var isPartial = false
  }

  /// A record that is being populated.
  struct Proto {
    /// The identity that duplicates share, or nil without one.
    var identity: Identity?
    var mentions: [Mention] = []
    var parent: Int?
    /// A Boolean value that indicates whether one of the items is a tombstone.
    var isGone = false
    /// A Boolean value that indicates whether only tombstones refer to the proto, as their parent.
    var isLookedUp = false
    /// The stored children besides `record` that the tombstone deletes.
    var alsoGone: [Int] = []
    /// The effective mentions in the order of the response: one, or several to merge.
    var effective: [Mention] = []
    var record: Int?

    var entity: EntityName { effective[0].entity }
    var isFull: Bool { effective[0].isFull }
    var mayBeMade: Bool { !isLookedUp && mentions.contains(where: \.makesRecord) }
  }

  enum Identity: Hashable {
    case key(EntityName, [JSONValue])
    case child(parent: Int, PropertyName)
    /// One of several children of a parent, with the content of its item.
    case oneOfSeveral(
      parent: Int, PropertyName, EntityName, [PropertyName: [JSONValue]], unmapped: JSONValue?)
  }

  /// A parent to which items refer. It is identified by its own identity and those of its ancestors, without the
  /// numbers of protos.
  struct NamedParent: Hashable {
    var identities: [Identity?]
    /// The first item of a parent without an identity.
    var item: JSONValue?
    var relationship: PropertyName
  }

  enum ParentProblem {
    /// The parent is deleted by a tombstone, or is neither stored nor created.
    case missing
    /// The relationship does not lead to the parent's entity.
    case otherEntity
  }

  /// The outcome of importing a response.
  struct Outcome {
    var records: [Int] = []
    var inserted: [Int] = []
    var updated: [Int: Set<PropertyName>] = [:]
    var codes: Set<DiagnosticCode> = []
    var didFail = false
    /// A Boolean value that indicates whether the response contains an item without an identity.
    var hasKeyless = false
    /// The ordered relationships whose order the rules do not define for this response.
    var unordered: Set<PropertyName> = []
    /// The reason why the rules do not define the resulting graph.
    var openQuestion: String?
  }

  var protos: [Proto] = []
  var outcome = Outcome()
  var mentionCount = 0
  var problems: [NamedParent: ParentProblem] = [:]

  init(model: RandomModel, graph: ReferenceGraph) {
    self.model = model
    self.graph = graph
    stored = graph
  }

  /// Imports a response. Afterwards `graph` contains the stored records.
  mutating func importResponse(_ response: JSONValue, of entity: EntityName) -> Outcome {
    var roots: [Int] = []
    repeat {
      protos = []
      outcome = Outcome()
      mentionCount = 0
      roots = ReferenceValue.items(response).compactMap { meet($0, entity, enclosing: nil, isRoot: true) }
      // An item with an invalid parent is identified correctly only in the next pass.
    } while findProblems()
    if roots.isEmpty, ReferenceValue.items(response).isEmpty { outcome.codes.insert(.emptyResultSet) }
    settleDuplicates()
    let reachable = reachableProtos(from: roots)
    reportKeyless(reachable)
    fetch(reachable)
    askHook(reachable.filter { protos[$0].mayBeMade })
    associate(reachable)
    create(reachable)
    askHook(reachable.filter { !protos[$0].mayBeMade && protos[$0].record != nil })
    for proto in reachable { setAttributes(proto) }
    setRelationships(reachable)
    deleteGone(reachable)
    if !isValid() {
      graph = stored
      outcome.didFail = true
      return outcome
    }
    let live = roots.filter { !protos[$0].isGone }
    outcome.records = live.compactMap { protos[$0].record }
    // A scalar key for an abstract entity whose record is neither stored nor in the response.
    // Rule: `subentity.abstract`.
    if outcome.records.count < live.count { outcome.codes.insert(.noEntity) }
    compareWithStored(reachable)
    return outcome
  }
}

/// The outcome of the import. Rules: `save.validation`, `request.changes`.
extension ReferencePopulation {
  func isValid() -> Bool {
    graph.numbers.allSatisfy {
      let before = stored.records[$0]
      return graph.records[$0] == before || graph.lacks($0, isStored: before != nil, before: before).isEmpty
    }
  }

  mutating func compareWithStored(_ reachable: [Int]) {
    for proto in reachable.map({ protos[$0] }) where !proto.isGone {
      guard let number = proto.record, let new = graph.records[number] else { continue }
      guard let old = stored.records[number] else {
        outcome.inserted.append(number)
        continue
      }
      var changed = Set(
        model.attributes(new.entity).map(\.name).filter { old.values[$0] != new.values[$0] })
      for relationship in model.relationships(proto.entity) {
        guard children(proto, relationship) != nil else { continue }
        let before = old.links[relationship.name] ?? []
        let after = new.links[relationship.name] ?? []
        if relationship.isOrdered ? before != after : Set(before) != Set(after) {
          changed.insert(relationship.name)
        }
      }
      if !changed.isEmpty { outcome.updated[number] = changed }
    }
  }
}
