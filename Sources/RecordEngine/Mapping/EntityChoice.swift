import JSONTree
import RecordModel

/// Which entity an item is of, and whether it says that its record is gone. The predicates are made ready once for all items of a response.
struct EntityChoice {
  private let entities: [SchemaEntity]
  private let claims: [PredicateEvaluator?]
  /// Empty where no entity has one.
  private let deletions: [PredicateEvaluator?]
  private let customisation: Customisation

  init(schema: Schema, _ customisation: Customisation) {
    entities = schema.entities
    claims = entities.map { $0.usedWhen.map(PredicateEvaluator.init) }
    // Sub-entities inherit the predicate.
    var evaluators: [RecordPredicate: PredicateEvaluator] = [:]
    let deletions = entities.map { entity -> PredicateEvaluator? in
      guard let predicate = entity.deletedWhen else { return nil }
      let evaluator = evaluators[predicate] ?? PredicateEvaluator(predicate)
      evaluators[predicate] = evaluator
      return evaluator
    }
    self.deletions = deletions.contains { $0 != nil } ? deletions : []
    self.customisation = customisation
  }

  /// The entity that claims an item: the sub-entities are asked in declaration order, the first that says yes is
  /// asked again for its own. Rule: `subentity.choose`.
  func entity(claiming item: Item, declared: EntityIndex) -> EntityIndex {
    if entities[declared].children.isEmpty { return declared }
    var current = declared
    var subject: JSONNode?
    while true {
      let next = entities[current].children.first { child in
        let (claim, typeClaim) = (claims[for: child], customisation.claim(of: child))
        guard claim != nil || typeClaim != nil else { return false }
        let node = subject ?? item.dictionary(of: entities[declared])
        subject = node
        return typeClaim?(node) ?? claim?.matches(node) ?? false
      }
      guard let next else { return current }
      current = next
    }
  }

  /// Whether an item of an entity says that its record is gone. A key alone never does. Rule: `orphans.tombstone`.
  func isTombstone(_ item: Item, of entity: EntityIndex) -> Bool {
    guard !deletions.isEmpty, let deletion = deletions[for: entity], item.isDictionary else { return false }
    return deletion.matches(item.dictionary(of: entities[entity]))
  }
}
