import JSONTree
public import RecordModel

extension ManagedObjectModel {
  /// Creates a model from record types whose properties have the wrappers ``Field``, ``ToOne`` and ``ToMany``.
  ///
  /// ```swift
  /// final class Post: Record {
  ///   @Field("id", isPrimaryKey: true) var id: Int
  ///   @Field("text", { $0.from = ["body"] }) var text: String?
  ///   @ToOne("author", inverse: "posts") var author: User?
  /// }
  ///
  /// final class User: Record {
  ///   @Field("id", isPrimaryKey: true) var id: Int
  ///   @ToMany("posts", inverse: "author") var posts: [Post]
  /// }
  ///
  /// let model = try ManagedObjectModel(Post.self, User.self)
  /// ```
  ///
  /// Each type becomes an entity of the same name:
  ///
  /// - A wrapped property becomes an attribute of the type ``AttributeConvertible/attributeType``, or a relationship to
  ///   the entity of its type.
  /// - An attribute is optional if its type is. An initial value becomes the default value of the attribute.
  /// - The nearest superclass in the list becomes the parent entity. The properties of other superclasses become
  ///   properties of the entity.
  /// - ``Record/configure(_:)`` changes the description of the entity.
  /// - ``Record/keyPathForResponseObject``, ``Record/dateFormat`` and ``Record/representation`` apply to the entity.
  ///   ``Record/represents(_:)`` and ``Record/marshaler`` apply when a container is created with the type.
  ///
  /// - Parameters:
  ///   - type: the first record type.
  ///   - others: the other record types. Their entities have the same order.
  ///   - dateFormat: the format of strings for dates if neither the attribute nor its entity specifies one.
  ///   - nulls: the effect of a JSON null if neither the property nor its entity specifies one.
  ///   - names: the convention of the keys if neither the entity nor an ancestor specifies one.
  ///   - nullValues: the values that mean null if neither the property, nor its entity, nor an ancestor specifies them.
  ///   - configure: changes the description of each entity, after ``Record/configure(_:)`` of its type.
  /// - Throws: ``ModelError`` with all errors, in the order of the types.
  public init(
    _ type: Record.Type, _ others: Record.Type..., dateFormat: String? = nil, nulls: NullPolicy = .clear,
    names: NamingConvention? = nil, nullValues: [JSONValue]? = nil,
    configure: (inout EntityDescription) -> Void = { _ in }
  ) throws(ModelError) {
    try self.init(
      recordTypes: [type] + others, dateFormat: dateFormat, nulls: nulls, names: names,
      nullValues: nullValues,
      configure: configure)
  }

  /// Creates a model from a list of record types, as ``init(_:_:dateFormat:nulls:names:nullValues:configure:)`` does.
  public init(
    recordTypes types: [Record.Type], dateFormat: String? = nil, nulls: NullPolicy = .clear,
    names: NamingConvention? = nil, nullValues: [JSONValue]? = nil,
    configure: (inout EntityDescription) -> Void = { _ in }
  ) throws(ModelError) {
    let known = Set(types.map { ObjectIdentifier($0) })
    var entities = types.map { type in
      var entity = EntityDescription(type, among: known)
      type.configure(&entity)
      configure(&entity)
      return entity
    }
    entities.nameByEntity(of: types)
    try Self.check(types, entities)
    self = try ManagedObjectModel(
      entities: entities, dateFormat: dateFormat, nulls: nulls, names: names, nullValues: nullValues
    )
    .represented(by: types)
  }

  /// Throws the errors that the list of types causes, the errors of initial values, and destinations without a type.
  private static func check(_ types: [Record.Type], _ entities: [EntityDescription]) throws(ModelError) {
    var problems = ModelProblem.problems(of: types)
    let names = Set(entities.map(\.name))
    for (type, entity) in zip(types, entities) {
      for property in RecordProperties(type).all
      where property.hasDefaultValue && entity.primaryKey.contains(property.name) {
        problems.append(
          ModelProblem(
            code: "default-of-key",
            path: JSONPointer(tokens: ["recordTypes", String(describing: type), property.name.rawValue]),
            message: "the primary key '\(property.name)' of '\(entity.name)' cannot have an initial value",
            advice: "set it in each new record"))
      }
      for relationship in entity.relationships where !names.contains(relationship.destination) {
        problems.append(
          .unknownDestination(
            of: relationship, in: entity.name,
            message: "the model lacks the record type '\(relationship.destination)'",
            advice: "pass \(relationship.destination).self, too"))
      }
    }
    guard problems.isEmpty else { throw ModelError(problems: problems) }
  }
}

extension [EntityDescription] {
  /// Replaces the names of record types, in parents and destinations, by the names of their entities.
  fileprivate mutating func nameByEntity(of types: [Record.Type]) {
    let names = Dictionary(
      zip(types.map { EntityName(String(describing: $0)) }, map(\.name)),
      uniquingKeysWith: { first, _ in first })
    guard names.contains(where: { $0.key != $0.value }) else { return }
    for index in indices {
      self[index].parent = self[index].parent.map { names[$0] ?? $0 }
      for position in self[index].relationships.indices {
        let destination = self[index].relationships[position].destination
        self[index].relationships[position].destination = names[destination] ?? destination
      }
    }
  }
}

extension EntityDescription {
  /// Creates the description of the entity of a record type.
  ///
  /// - Parameter known: the types that have an entity, including this one.
  fileprivate init(_ type: Record.Type, among known: Set<ObjectIdentifier>) {
    let levels = RecordProperties(type).levels
    let parent = levels.dropLast().lastIndex { known.contains(ObjectIdentifier($0.type)) }
    self.init(
      EntityName(String(describing: type)), className: String(describing: type),
      parent: parent.map { EntityName(String(describing: levels[$0].type)) })
    for property in levels[(parent.map { $0 + 1 } ?? 0)...].flatMap(\.properties) {
      let name = property.add(to: &self)
      if property.isPrimaryKey { primaryKey.append(name) }
    }
  }
}
