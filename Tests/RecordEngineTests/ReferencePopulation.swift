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
    /// What was found for attributes, null included.
    var attributes: [PropertyName: JSONValue] = [:]
    var children: [PropertyName: Children] = [:]
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
    /// The mentions that count, in the order of the response: one, or several to be merged.
    var effective: [Mention] = []
    var record: Int?

    var entity: EntityName { effective[0].entity }
    var isFull: Bool { effective[0].isFull }
  }

  enum Identity: Hashable {
    case key(EntityName, [JSONValue])
    case child(parent: Int, PropertyName)
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

  init(model: RandomModel, graph: ReferenceGraph) {
    self.model = model
    self.graph = graph
    stored = graph
  }

  /// Imports a response; `graph` is what is stored afterwards.
  mutating func importResponse(_ response: JSONValue, of entity: EntityName) -> Outcome {
    let roots = ReferenceValue.items(response).compactMap { meet($0, entity, enclosing: nil, isRoot: true) }
    if roots.isEmpty, ReferenceValue.items(response).isEmpty { outcome.codes.insert(.emptyResultSet) }
    settleDuplicates()
    let reachable = reachableProtos(from: roots)
    fetch(reachable)
    associate(reachable)
    create(reachable)
    for proto in reachable { setAttributes(proto) }
    setRelationships(reachable)
    if !isValid() {
      graph = stored
      outcome.didFail = true
      return outcome
    }
    outcome.records = roots.compactMap { protos[$0].record }
    // A key alone for an abstract entity, of a record that nobody knows. Rule: `subentity.abstract`.
    if outcome.records.count < roots.count { outcome.codes.insert(.noEntity) }
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
    for proto in reachable.map({ protos[$0] }) {
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
