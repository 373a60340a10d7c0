import JSONTree
import OrderedCollections
import RecordModel

/// Which entity an item is of. The predicates are made ready once for all items of a response.
struct EntityChoice {
  private let entities: [SchemaEntity]
  private let claims: [PredicateEvaluator?]

  init(schema: Schema) {
    entities = schema.entities
    claims = entities.map { $0.usedWhen.map(PredicateEvaluator.init) }
  }

  /// The entity that claims an item: the sub-entities are asked in declaration order, the first that says yes is
  /// asked again for its own. Rule: `subentity.choose`.
  func entity(claiming item: Item, declared: Int) -> Int {
    var current = declared
    var subject: JSONNode?
    while true {
      let next = entities[current].children.first { child in
        guard let claim = claims[child] else { return false }
        let node = subject ?? predicateSubject(item, declared: declared)
        subject = node
        return claim.matches(node)
      }
      guard let next else { return current }
      current = next
    }
  }

  /// What predicates see of an item: a scalar is the dictionary it stands for, and a key of a collection is in place.
  private func predicateSubject(_ item: Item, declared: Int) -> JSONNode {
    let entity = entities[declared]
    if item.isDictionary {
      guard let key = item.collectionKey, case .object(var members) = item.node.value else {
        return item.node
      }
      members[entity.attributes[key.attribute].name.rawValue] = key.node.value
      return JSONDocument(.object(members)).root
    }
    guard case .attributes(let positions) = entity.key, positions.count == 1 else { return item.node }
    let name = entity.attributes[positions[0]].name.rawValue
    return JSONDocument(.object([name: item.node.value])).root
  }
}
