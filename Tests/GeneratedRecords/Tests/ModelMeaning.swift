import JSONTree
import RecordModel

/// Everything that a model declares, in a form that is equal for models that mean the same.
struct ModelMeaning: Equatable {
  var entities: [EntityDescription]
  /// The date formats and null policies of all properties, including inherited ones, by entity.
  var formats: [[DateFormat?]]
  var nulls: [[NullPolicy]]

  init(_ model: ManagedObjectModel) {
    entities = model.entities.map { entity in
      var entity = entity
      // The format and the null policy of a property come from the property, the entity, an ancestor or the model.
      (entity.dateFormat, entity.null) = (nil, nil)
      entity.className = model.schema.entity(entity.name)?.className
      for index in entity.attributes.indices {
        let attribute = entity.attributes[index]
        (entity.attributes[index].format, entity.attributes[index].null) = (nil, nil)
        // A literal has several forms: 1 and 1.0.
        let value = attribute.defaultValue.flatMap { try? AttributeValue(literal: $0, type: attribute.type) }
        entity.attributes[index].defaultValue = value?.literal(type: attribute.type)
      }
      for index in entity.relationships.indices { entity.relationships[index].null = nil }
      return entity
    }
    formats = model.schema.entities.map { $0.attributes.map(\.dateFormat) }
    nulls = model.schema.entities.map { entity in
      entity.attributes.map(\.null) + entity.relationships.map { model.schema.relationships[$0].null }
    }
  }
}
