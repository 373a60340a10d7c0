import JSONTree
import RecordModel

/// What makes two items one record.
enum ProtoIdentity: Hashable {
  /// Rule: `identity.attribute-key`.
  case key(scope: EntityIndex, RecordKey)
  /// The one child of a parent. Rules: `identity.relationship-key`, `identity.relationship-key.merge`.
  case onlyChild(parent: ProtoIndex, relationship: RelationshipIndex)
  /// One of several children of a parent, by content. Rule: `identity.relationship-key.to-many`.
  case child(parent: ProtoIndex, relationship: RelationshipIndex, content: ChildContent)
}

/// The part of an item by which the children that a response has for one parent are told apart.
/// Rule: `identity.relationship-key.equal-items`.
struct ChildContent: Hashable {
  let entity: EntityIndex
  /// By position; nil where the item has no such attribute.
  private var attributes: [AttributeValue??] = []
  /// Nulls, and the values that are none of the attribute's type, by position.
  private var unconvertible: [AttributeIndex: JSONValue] = [:]
  /// The keys that the model does not map, where a hook may read them or the record keeps them.
  private var unmapped: JSONValue?

  init(_ appearance: Appearance, of entity: EntityIndex, _ population: Population) {
    self.entity = entity
    let description = population.schema.entities[entity]
    for position in description.attributes.elementIndices {
      let finding = appearance.findings.attribute(position)
      let value = finding.flatMap {
        population.convert($0.node, to: description.attributes[position], of: entity)
      }
      attributes.append(finding.map { _ in value })
      if let finding, value == nil { unconvertible[position] = finding.node.value }
    }
    let isKept = description.dictionaryAttribute != nil
    if isKept || population.options.prePopulation != nil || population.marshaler(of: entity) != nil {
      unmapped = Self.unmapped(appearance.item, description, population.schema, keepsAttributes: isKept)
    }
  }

  /// The dictionary of an item without its relationships, and without its attributes unless the record keeps them as
  /// they stand.
  private static func unmapped(
    _ item: Item, _ entity: SchemaEntity, _ schema: Schema, keepsAttributes: Bool
  ) -> JSONValue {
    var dictionary = item.dictionary(of: entity).value
    for relationship in entity.relationships {
      for path in schema.relationships[relationship].paths { dictionary.remove(path) }
    }
    guard !keepsAttributes else { return dictionary }
    for path in entity.attributes.flatMap(\.paths) { dictionary.remove(path) }
    return dictionary
  }
}
