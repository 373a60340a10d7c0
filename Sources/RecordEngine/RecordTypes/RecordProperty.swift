import RecordModel

/// A property wrapper of a record type.
protocol RecordProperty {
  var name: PropertyName { get }
  var isPrimaryKey: Bool { get }
  /// A Boolean value that indicates whether the initial value is not nil.
  var hasDefaultValue: Bool { get }
  /// Adds the property to the description of an entity, and returns its name there.
  func add(to entity: inout EntityDescription) -> PropertyName
  /// Returns the problems of the property in an entity.
  func problems(in entity: SchemaEntity, _ check: RecordTypeCheck) -> [ModelProblem]
}

extension Field: RecordProperty {
  var hasDefaultValue: Bool { defaultValue != nil }
  private var defaultValue: AttributeValue? { initialValue?().fieldValue?.attributeValue }

  func add(to entity: inout EntityDescription) -> PropertyName {
    let type = Value.WrappedValue.attributeType
    var attribute = AttributeDescription(
      name, type, default: defaultValue?.literal(type: type),
      isOptional: Value.isOptional)
    configure?(&attribute)
    entity.attributes.append(attribute)
    return attribute.name
  }

  func problems(in entity: SchemaEntity, _ check: RecordTypeCheck) -> [ModelProblem] {
    check.problems(ofAttribute: name, of: entity, Value.self, hasInitialValue: initialValue != nil)
  }
}

extension ToOne: RecordProperty {
  var hasDefaultValue: Bool { false }

  func add(to entity: inout EntityDescription) -> PropertyName {
    var relationship = RelationshipDescription(
      name, to: EntityName(String(describing: Destination.self)), inverse: inverse)
    configure?(&relationship)
    entity.relationships.append(relationship)
    return relationship.name
  }

  func problems(in entity: SchemaEntity, _ check: RecordTypeCheck) -> [ModelProblem] {
    check.problems(ofRelationship: name, of: entity, to: Destination.self, isToMany: false)
  }
}

extension ToMany: RecordProperty {
  var isPrimaryKey: Bool { false }
  var hasDefaultValue: Bool { false }

  func add(to entity: inout EntityDescription) -> PropertyName {
    var relationship = RelationshipDescription(
      name, toMany: EntityName(String(describing: Destination.self)), inverse: inverse)
    configure?(&relationship)
    entity.relationships.append(relationship)
    return relationship.name
  }

  func problems(in entity: SchemaEntity, _ check: RecordTypeCheck) -> [ModelProblem] {
    check.problems(ofRelationship: name, of: entity, to: Destination.self, isToMany: true)
  }
}
