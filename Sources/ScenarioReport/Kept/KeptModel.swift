import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat

/// The structure of a model, which is all that tables, drawings and differences need: the entities, their keys, the types
/// of attributes, and the relationships. Paths, formats, predicates and code are omitted.
struct KeptModel {
  /// The structure, as the text of a model file or as the tables of an app's store.
  let form: JSONValue
  let schema: Schema
  /// A Boolean value that indicates whether these are the tables of an app's store, whose names can be any text.
  let isOfTables: Bool

  /// Creates the structure of a model.
  ///
  /// - Parameter isOfTables: a Boolean value that indicates whether its entities are the tables of an app's store.
  init(_ model: ManagedObjectModel, isOfTables: Bool) {
    self.isOfTables = isOfTables
    schema = model.schema
    if isOfTables {
      form = .object(JSONObject(model.entities.map { ($0.name.rawValue, Self.form(ofTable: $0)) }))
    } else {
      // The structure of a valid model is valid.
      let structure = try? ManagedObjectModel(entities: model.entities.map(Self.structure))
      form = .string(ModelExport(structure ?? model).text)
    }
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

  private static func form(ofTable entity: EntityDescription) -> JSONValue {
    var object = JSONFormObject()
    object.add("columns", names: entity.attributes.map(\.name))
    object.add("key", names: entity.primaryKey)
    object.add(
      "links",
      sorted: entity.relationships.map { ($0.name.rawValue, .string($0.destination.rawValue)) })
    return object.form
  }

  /// Reads the structure.
  init(kept form: JSONForm) throws(JSONForm.Damaged) {
    self.form = form.value
    if case .string(let text) = form.value {
      guard let model = ModelSource.model(ofText: text) else { throw form.damaged("the text of a model") }
      (schema, isOfTables) = (model.schema, false)
      return
    }
    var entities: [EntityDescription] = []
    for (name, form) in try form.members() {
      var links: [PropertyName: EntityName] = [:]
      for (column, form) in try form.optional("links")?.members() ?? [] {
        links[PropertyName(column)] = try form.name()
      }
      entities.append(
        TableDump.entity(
          EntityName(name), columns: try form.optional("columns")?.names() ?? [],
          key: try form.optional("key")?.names() ?? [], links: links))
    }
    guard let model = try? ManagedObjectModel(tables: entities) else {
      throw form.damaged("the tables of a store")
    }
    (schema, isOfTables) = (model.schema, true)
  }
}
