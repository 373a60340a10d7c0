import RecordModel
import ScenarioFormat

/// The structure of a model, which is all that tables, drawings and differences need: the entities, their keys, the types
/// of attributes, and the relationships. Paths, formats, predicates and code are omitted.
struct KeptModel {
  /// The structure as the text of a model file.
  let text: String

  init(_ model: ManagedObjectModel) {
    let entities = model.entities.map(Self.structure)
    // The structure of a valid model is valid.
    let structure = try? ManagedObjectModel(entities: entities)
    text = ModelExport(structure ?? model).text
  }

  private static func structure(of entity: EntityDescription) -> EntityDescription {
    var structure = EntityDescription(
      entity.name, parent: entity.parent, isAbstract: entity.isAbstract,
      attributes: entity.attributes.map { AttributeDescription($0.name, $0.type) },
      relationships: entity.relationships.map {
        RelationshipDescription(
          $0.name, to: $0.destination, isToMany: $0.isToMany, inverse: $0.inverse, isOrdered: $0.isOrdered)
      })
    structure.primaryKey = entity.primaryKey
    return structure
  }

  /// Returns the model in the text of a model file; nil if the text is invalid.
  static func schema(of text: String) -> Schema? { ModelSource.model(ofText: text)?.schema }
}
