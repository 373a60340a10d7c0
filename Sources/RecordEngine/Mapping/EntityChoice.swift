import JSONTree
import RecordModel

/// Which entity an item is of. The predicates are made ready once for all items of a response.
struct EntityChoice {
  private let entities: [SchemaEntity]
  private let claims: [PredicateEvaluator?]
  private let customisation: Customisation

  init(schema: Schema, _ customisation: Customisation) {
    entities = schema.entities
    claims = entities.map { $0.usedWhen.map(PredicateEvaluator.init) }
    self.customisation = customisation
  }

  /// The entity that claims an item: the sub-entities are asked in declaration order, the first that says yes is
  /// asked again for its own. Rule: `subentity.choose`.
  func entity(claiming item: Item, declared: Int) -> Int {
    if entities[declared].children.isEmpty { return declared }
    var current = declared
    var subject: JSONNode?
    while true {
      let next = entities[current].children.first { child in
        let (claim, typeClaim) = (claims[child], customisation.claim(of: child))
        guard claim != nil || typeClaim != nil else { return false }
        let node = subject ?? item.dictionary(of: entities[declared])
        subject = node
        return typeClaim?(node) ?? claim?.matches(node) ?? false
      }
      guard let next else { return current }
      current = next
    }
  }
}
