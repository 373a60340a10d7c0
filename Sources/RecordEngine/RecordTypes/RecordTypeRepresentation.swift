import JSONTree
package import RecordModel

/// The representation of an entity that its record type declares.
struct RecordTypeRepresentation: Representation {
  private let type: Record.Type
  private let own: any Representation

  private struct Standard: Representation {}

  /// Creates the representation; nil if the type declares nothing.
  init?(_ type: Record.Type) {
    let own = type.representation
    guard own != nil || type.keyPathForResponseObject != nil || type.dateFormat != nil else { return nil }
    self.type = type
    self.own = own ?? Standard()
  }

  func primaryKey(of entity: EntityDescription) -> [PropertyName] { own.primaryKey(of: entity) }

  func responseKeyPath(of entity: EntityDescription) -> MappingPath? {
    type.keyPathForResponseObject ?? own.responseKeyPath(of: entity)
  }

  func dateFormat(of entity: EntityDescription) -> String? { type.dateFormat ?? own.dateFormat(of: entity) }

  func keyPaths(for attribute: AttributeDescription, of entity: EntityName) -> [MappingPath] {
    own.keyPaths(for: attribute, of: entity)
  }

  func keyPaths(for relationship: RelationshipDescription, of entity: EntityName) -> [MappingPath] {
    own.keyPaths(for: relationship, of: entity)
  }

  var computesPrimaryKey: Bool { own.computesPrimaryKey }
  func primaryKeyValue(in dictionary: JSONNode) -> JSONValue? { own.primaryKeyValue(in: dictionary) }
}

extension ManagedObjectModel {
  /// Returns the model with the declarations of record types applied.
  ///
  /// - Throws: the errors in the declarations; also an error for each type that is not the class of an entity.
  package func represented(by types: [Record.Type]) throws(ModelError) -> ManagedObjectModel {
    let unknownTypes = types.filter { !hasEntity(of: $0) }
    guard unknownTypes.isEmpty else {
      throw ModelError(
        problems: unknownTypes.map { type in
          ModelProblem(
            code: "unknown-record-type", path: JSONPointer(tokens: ["entities"]),
            message: "no entity has the record type '\(type)'",
            advice: schema.nearestClass(to: type).map { "did you mean '\($0)'?" })
        })
    }
    let problems = ModelProblem.problems(of: types)
    guard problems.isEmpty else { throw ModelError(problems: problems) }
    var representations: [EntityName: any Representation] = [:]
    for (entity, type) in schema.entities(of: types) {
      if let representation = RecordTypeRepresentation(type) { representations[entity.name] = representation }
    }
    return try represented(by: representations).checkingProperties(of: types)
  }
}

extension ManagedObjectModel {
  /// Returns whether a record type is the class of an entity. Rule: `model.class-name`.
  package func hasEntity(of type: Record.Type) -> Bool {
    schema.entities.contains { $0.className == String(describing: type) }
  }
}

extension Customization {
  /// Creates the customization that record types and marshalers specify.
  ///
  /// - Parameter others: the marshalers of entities, which take precedence over those of the record types.
  package init(_ schema: Schema, _ types: [Record.Type], marshalers others: [EntityName: any Marshaler]) {
    let types = schema.entities(of: types)
    var marshalers: [EntityName: any Marshaler] = [:]
    for (entity, type) in types { marshalers[entity.name] = type.marshaler }
    self.init(schema, marshalers: marshalers.merging(others) { _, other in other })
    for (entity, type) in types where entity.parent != nil {
      setClaim({ type.represents($0) }, of: entity.index, schema)
    }
  }
}
