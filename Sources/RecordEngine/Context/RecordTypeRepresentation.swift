import JSONTree
package import RecordModel

/// What a record type says of its entity, as a representation.
struct RecordTypeRepresentation: Representation {
  private let type: Record.Type
  private let own: any Representation

  private struct Standard: Representation {}

  /// Nil if the type says nothing.
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
  /// The model as record types say.
  package func represented(by types: [Record.Type]) throws(ModelError) -> ManagedObjectModel {
    var representations: [EntityName: any Representation] = [:]
    for (entity, type) in schema.entities(of: types) {
      if let representation = RecordTypeRepresentation(type) { representations[entity.name] = representation }
    }
    return try represented(by: representations)
  }
}

extension Customisation {
  /// - Parameter others: what is given for entities, over what their record types say.
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

extension Schema {
  /// The entities whose class a record type is, with the type. Rule: `model.class-name`.
  fileprivate func entities(of types: [Record.Type]) -> [(entity: SchemaEntity, type: Record.Type)] {
    let typesByName = Dictionary(
      types.map { (String(describing: $0), $0) }, uniquingKeysWith: { _, last in last })
    return entities.compactMap { entity in typesByName[entity.className].map { (entity, $0) } }
  }
}
