import JSONTree
import RecordEngine
import RecordModel

/// The rules once more, slow and obvious: one response imported into a graph of plain values.
///
/// Written from the text of the rules alone. It covers what `RandomModel` makes; searches are linear, so it is for
/// small responses. Each step of `population.*` is one method.
struct ReferencePopulation {
  let model: RandomModel
  var graph: ReferenceGraph
  let stored: ReferenceGraph

  /// One item of the response, wherever it stood.
  struct Mention {
    /// Items are numbered as they are met, depth first.
    var number: Int
    var entity: EntityName
    var item: JSONValue
    var isScalar: Bool
    var isFull = false
    /// Whether it makes a stub where nothing else makes the record.
    var makesStub = true
    /// What was found for attributes, null included.
    var attributes: [PropertyName: JSONValue] = [:]
    var children: [PropertyName: Children] = [:]

    var makesRecord: Bool { isFull || makesStub }
  }

  /// What an item has for a relationship.
  struct Children {
    var isNull = false
    /// Protos that are linked.
    var linked: [Int] = []
    /// Protos that are populated and not linked.
    var populated: [Int] = []
    /// Whether an item of a list was left out.
    var isPartial = false
  }

  /// A record-to-be.
  struct Proto {
    /// What makes it the same record as another one; nil if nothing does.
    var identity: Identity?
    var mentions: [Mention] = []
    var parent: Int?
    /// Whether one of its items says that it is gone.
    var isGone = false
    /// Whether only items whose records are gone name it, as their parent.
    var isLookedUp = false
    /// The stored children besides `record` that are gone with it.
    var alsoGone: [Int] = []
    /// The mentions that count, in the order of the response: one, or several to be merged.
    var effective: [Mention] = []
    var record: Int?

    var entity: EntityName { effective[0].entity }
    var isFull: Bool { effective[0].isFull }
    var mayBeMade: Bool { !isLookedUp && mentions.contains(where: \.makesRecord) }
  }

  enum Identity: Hashable {
    case key(EntityName, [JSONValue])
    case child(parent: Int, PropertyName)
    /// One of several children of its parent, and what the item says of it.
    case oneOfSeveral(
      parent: Int, PropertyName, EntityName, [PropertyName: [JSONValue]], unmapped: JSONValue?)
  }

  /// A parent that items name, told from others without the numbers of protos: its own identity and those of its parents.
  struct NamedParent: Hashable {
    var identities: [Identity?]
    /// The first item, where nothing identifies it.
    var item: JSONValue?
    var relationship: PropertyName
  }

  enum ParentProblem {
    /// It is gone, or neither stored nor made.
    case missing
    /// The relationship does not lead to its entity.
    case otherEntity
  }

  /// What came of a response.
  struct Outcome {
    var records: [Int] = []
    var inserted: [Int] = []
    var updated: [Int: Set<PropertyName>] = [:]
    var codes: Set<DiagnosticCode> = []
    var didFail = false
    /// Whether an item stood for a record that nothing identifies.
    var hasKeyless = false
    /// Ordered relationships whose order the rules leave open for this response.
    var unordered: Set<PropertyName> = []
    /// Why the rules do not decide what the graph is.
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

  /// Imports a response; `graph` is what is stored afterwards.
  mutating func importResponse(_ response: JSONValue, of entity: EntityName) -> Outcome {
    var roots: [Int] = []
    repeat {
      protos = []
      outcome = Outcome()
      mentionCount = 0
      roots = ReferenceValue.items(response).compactMap { meet($0, entity, enclosing: nil, isRoot: true) }
      // Items of a parent that is none are known as what they are only when they are met again.
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
    // A key alone for an abstract entity, of a record that nobody knows. Rule: `subentity.abstract`.
    if outcome.records.count < live.count { outcome.codes.insert(.noEntity) }
    compareWithStored(reachable)
    return outcome
  }
}

/// What came of it. Rules: `save.validation`, `request.changes`.
extension ReferencePopulation {
  func isValid() -> Bool {
    graph.numbers.allSatisfy {
      graph.records[$0] == stored.records[$0] || graph.lacks($0, isStored: stored.records[$0] != nil).isEmpty
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
