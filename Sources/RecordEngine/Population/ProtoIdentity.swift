import JSONTree
import RecordModel

/// The identity of a record within a response. Items with equal identities are the same record.
enum ProtoIdentity: Hashable {
  /// A record identified by attributes. Rule: `identity.attribute-key`.
  case key(scope: EntityIndex, RecordKey)
  /// The only child of a parent. Rules: `identity.relationship-key`, `identity.relationship-key.merge`.
  case onlyChild(parent: ProtoIndex, relationship: RelationshipIndex)
  /// One of several children of a parent, identified by content. Rule: `identity.relationship-key.to-many`.
  case child(parent: ProtoIndex, relationship: RelationshipIndex, content: ChildContent)
}

/// The content that distinguishes the items of several children of one parent.
/// Rule: `identity.relationship-key.equal-items`.
struct ChildContent: Hashable {
  let entity: EntityIndex
  /// The value of each attribute; nil if the item does not have the attribute.
  private var attributes: [AttributeValue??] = []
  /// The values that cannot be converted, and nulls, by attribute.
  private var unconvertible: [AttributeIndex: JSONValue] = [:]
  /// The members that the model does not map, if a hook may read them or the record stores them.
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

  /// Returns the dictionary of an item without its relationships. Also removes the attributes, unless the record stores
  /// the dictionary.
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
