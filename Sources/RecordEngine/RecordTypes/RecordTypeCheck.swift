import JSONTree
import RecordModel

extension ManagedObjectModel {
  /// Returns the model with the warnings about the property wrappers of record types.
  ///
  /// - Throws: the errors of the wrappers that do not fit their entities.
  func checkingProperties(of types: [Record.Type]) throws(ModelError) -> ManagedObjectModel {
    var check = RecordTypeCheck(schema, types)
    for (entity, type) in schema.entities(of: types) { check.check(type, entity) }
    let problems = check.problems
    guard !problems.contains(where: { $0.severity == .error }) else { throw ModelError(problems: problems) }
    return adding(warnings: problems)
  }
}

extension ModelProblem {
  /// Returns the problems of a list of record types: two types of one name, and types whose wrappers a mirror does not
  /// show.
  static func problems(of types: [Record.Type]) -> [ModelProblem] {
    let groups = Dictionary(grouping: types) { String(describing: $0) }
    var problems: [ModelProblem] = []
    for (name, types) in groups.sorted(by: { $0.key < $1.key }) {
      let count = Set(types.map { ObjectIdentifier($0) }).count
      if count > 1 {
        let names = types.map { String(reflecting: $0) }.joined(separator: ", ")
        problems.append(
          problem(
            name, "\(count) record types have the name '\(name)': \(names)", "rename all but one of them"))
      }
      if types.contains(where: { $0 is any CustomReflectable.Type }) {
        problems.append(
          problem(
            name, "'\(name)' is CustomReflectable, which hides its property wrappers from the engine",
            "remove the conformance to CustomReflectable"))
      }
    }
    return problems
  }

  private static func problem(_ name: String, _ message: String, _ advice: String) -> ModelProblem {
    ModelProblem(
      code: "record-type", path: JSONPointer(tokens: ["recordTypes", name]), message: message, advice: advice)
  }
}

/// The check of the property wrappers of record types against the model.
struct RecordTypeCheck {
  private let schema: Schema
  /// The record type of each entity.
  private let recordTypes: [Record.Type]
  private let entitiesWithStubs: Set<EntityIndex>
  private(set) var problems: [ModelProblem] = []

  init(_ schema: Schema, _ types: [Record.Type]) {
    self.schema = schema
    recordTypes = schema.recordTypes(types)
    entitiesWithStubs = schema.entitiesWithStubs
  }

  /// Checks the wrappers of the record type of an entity. The wrappers of a superclass that is the record type of an
  /// ancestor are checked there.
  mutating func check(_ type: Record.Type, _ entity: SchemaEntity) {
    var ancestors: Set<ObjectIdentifier> = []
    var parent = entity.parent
    while let current = parent {
      ancestors.insert(ObjectIdentifier(recordTypes[for: current]))
      parent = schema.entities[current].parent
    }
    for level in RecordProperties(type).levels where !ancestors.contains(ObjectIdentifier(level.type)) {
      for property in level.properties { problems += property.problems(in: entity, self) }
    }
  }

  // MARK: The problems of a property

  /// Returns the attribute of a property, or the problem if the entity does not have one.
  func attribute(_ name: PropertyName, of entity: SchemaEntity) -> (SchemaAttribute?, [ModelProblem]) {
    if let index = entity.attributeIndices[name] { return (entity.attributes[index], []) }
    if entity.relationshipIndices[name] != nil {
      return (nil, [problem(name, entity, "is a relationship", "use @ToOne or @ToMany")])
    }
    return (nil, [unknown(name, entity, "attribute", among: entity.attributes.map(\.name))])
  }

  /// Returns the problems of a property for a relationship.
  func problems<Destination: Record>(
    ofRelationship name: PropertyName, of entity: SchemaEntity, to type: Destination.Type, isToMany: Bool
  ) -> [ModelProblem] {
    guard let index = entity.relationshipIndices[name] else {
      if entity.attributeIndices[name] != nil {
        return [problem(name, entity, "is an attribute", "use @Field")]
      }
      return [
        unknown(
          name, entity, "relationship", among: entity.relationships.map { schema.relationships[$0].name })
      ]
    }
    let relationship = schema.relationships[index]
    guard relationship.isToMany == isToMany else {
      return [
        problem(
          name, entity, "is a to-\(relationship.isToMany ? "many" : "one") relationship",
          "use \(relationship.isToMany ? "@ToMany" : "@ToOne")")
      ]
    }
    let others = schema.kinds(of: relationship.destination).filter {
      !schema.entities[$0].isAbstract && !(recordTypes[for: $0] is Destination.Type)
    }
    guard let other = others.first else { return [] }
    let (otherName, otherType) = (schema.entities[other].name, recordTypes[for: other])
    return [
      problem(
        name, entity, "leads to '\(otherName)', whose record type is \(otherType), not \(type)",
        otherType == Record.self
          ? "pass the record type of '\(otherName)' in the container's 'recordTypes'" : "use \(otherType)")
    ]
  }

  /// Returns the problems of a property for an attribute.
  func problems<Value: FieldValue>(
    ofAttribute name: PropertyName, of entity: SchemaEntity, _ type: Value.Type, hasInitialValue: Bool
  ) -> [ModelProblem] {
    let (attribute, problems) = attribute(name, of: entity)
    guard let attribute else { return problems }
    let value = Value.WrappedValue.self
    guard attribute.type.size(in: value.attributeType) != nil else {
      return [
        problem(
          name, entity, "is \(attribute.type), but the property has the type \(value)",
          "use \(attribute.type.swiftType)\(attribute.isOptional ? "?" : "")")
      ]
    }
    guard !Value.isOptional, !hasInitialValue else { return [] }
    let advice = "use \(value)?, or add an initial value"
    if attribute.isOptional {
      return [
        problem(name, entity, "is optional, but the property has the non-optional type \(value)", advice)
      ]
    }
    guard value.represents(attribute.type) else {
      return [problem(name, entity, "may have a value that the type \(value) cannot represent", advice)]
    }
    guard schema.kinds(of: entity.index).contains(where: entitiesWithStubs.contains),
      attribute.defaultValue == nil, !entity.isPartOfKey(name)
    else { return [] }
    return [
      problem(
        name, entity, "has no value in a stub, and reading the property then stops the program", advice,
        .warning)
    ]
  }

  private func unknown(
    _ name: PropertyName, _ entity: SchemaEntity, _ kind: String, among known: [PropertyName]
  ) -> ModelProblem {
    ModelProblem(
      code: "unknown-property", path: path(name, entity),
      message: "'\(entity.name)' has no \(kind) '\(name)'",
      advice: nearestName(to: name.rawValue, among: known.map(\.rawValue)).map { "did you mean '\($0)'?" })
  }

  private func problem(
    _ name: PropertyName, _ entity: SchemaEntity, _ message: String, _ advice: String,
    _ severity: ModelProblem.Severity = .error
  ) -> ModelProblem {
    ModelProblem(
      severity, code: "property-type", path: path(name, entity),
      message: "'\(name)' of '\(entity.name)' \(message)", advice: advice)
  }

  private func path(_ name: PropertyName, _ entity: SchemaEntity) -> JSONPointer {
    JSONPointer(tokens: ["recordTypes", entity.className, name.rawValue])
  }
}

extension AttributeConvertible {
  /// Returns a Boolean value that indicates whether the type can represent each value of an attribute of a type.
  fileprivate static func represents(_ type: AttributeType) -> Bool {
    guard representsAllValues, let size = type.size(in: attributeType),
      let own = attributeType.size(in: attributeType)
    else { return false }
    return size <= own
  }
}

extension AttributeType {
  /// Returns the position of this type among those of one kind, from the smallest to the largest; nil if the other type
  /// is of another kind.
  fileprivate func size(in other: AttributeType) -> Int? {
    let kinds: [[AttributeType]] = [[.int16, .int32, .int64], [.float, .double]]
    let kind = kinds.first { $0.contains(other) } ?? [other]
    return kind.firstIndex(of: self)
  }

  /// The Swift type to suggest for an attribute.
  fileprivate var swiftType: String {
    switch self {
    case .int16: "Int16"
    case .int32: "Int32"
    case .int64: "Int64"
    case .float: "Float"
    case .double: "Double"
    case .decimal: "Decimal"
    case .boolean: "Bool"
    case .string: "String"
    case .date: "Date"
    case .binary: "Data"
    case .uuid: "UUID"
    case .uri: "URL"
    case .transformable: "JSONValue"
    }
  }
}
