import JSONTree
import RecordModel

/// The choice of the entity of an item, and the detection of tombstones. The predicates are prepared once for all items
/// of a response.
struct EntityChoice {
  private let entities: [SchemaEntity]
  private let claims: [PredicateEvaluator<JSONNode>?]
  /// For each entity, the predicate that marks deleted records; empty if no entity has one.
  private let deletions: [PredicateEvaluator<JSONNode>?]
  private let customization: Customization

  init(schema: Schema, _ customization: Customization) {
    entities = schema.entities
    claims = entities.map { $0.usedWhen.map { PredicateEvaluator($0) } }
    // Sub-entities inherit the predicate.
    var evaluators: [RecordPredicate: PredicateEvaluator<JSONNode>] = [:]
    let deletions = entities.map { entity -> PredicateEvaluator<JSONNode>? in
      guard let predicate = entity.deletedWhen else { return nil }
      let evaluator = evaluators[predicate] ?? PredicateEvaluator(predicate)
      evaluators[predicate] = evaluator
      return evaluator
    }
    self.deletions = deletions.contains { $0 != nil } ? deletions : []
    self.customization = customization
  }

  /// Returns the entity that claims an item. The sub-entities are tried in declaration order. The first one that claims
  /// the item is chosen, and its own sub-entities are tried next. Rule: `subentity.choose`.
  func entity(claiming item: Item, declared: EntityIndex) -> EntityIndex {
    if entities[declared].children.isEmpty { return declared }
    var current = declared
    var subject: JSONNode?
    while true {
      let next = entities[current].children.first { child in
        let (claim, typeClaim) = (claims[for: child], customization.claim(of: child))
        guard claim != nil || typeClaim != nil else { return false }
        let node = subject ?? item.dictionary(of: entities[declared])
        subject = node
        return typeClaim?(node) ?? claim?.matches(node) ?? false
      }
      guard let next else { return current }
      current = next
    }
  }

  /// Returns the items of the lists that a response has beside those of an entity, with their entities.
  /// Rule: `response.sideloaded`.
  func sideloadedItems(of entity: EntityIndex, in document: JSONDocument) -> [(
    item: Item, declared: EntityIndex
  )] {
    guard document.root.kind == .object else { return [] }
    return entities[entity].sideloaded.flatMap { list in
      guard let found = list.path.find(in: document.root), !found.isNull else {
        return [(Item, EntityIndex)]()
      }
      return Items(in: found, keyedBy: nil).compactMap { item in
        self.entity(of: item, among: list.entities).map { (item, $0) }
      }
    }
  }

  /// Returns the first entity whose condition an item satisfies; the only entity if there is one.
  private func entity(of item: Item, among candidates: [EntityIndex]) -> EntityIndex? {
    if candidates.count == 1 { return candidates[0] }
    return candidates.first { entity in
      claims[for: entity]?.matches(item.dictionary(of: entities[entity])) ?? false
    }
  }

  /// Returns a Boolean value that indicates whether an item of an entity marks its record as deleted. An item that is
  /// only a key never does. Rule: `orphans.tombstone`.
  func isTombstone(_ item: Item, of entity: EntityIndex) -> Bool {
    guard !deletions.isEmpty, let deletion = deletions[for: entity], item.isDictionary else { return false }
    return deletion.matches(item.dictionary(of: entities[entity]))
  }
}
