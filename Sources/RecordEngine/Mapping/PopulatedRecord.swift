public import JSONTree
public import RecordModel

/// A record that a response is about, as a ``Marshaler`` sees it: what it has at this moment, to read.
public struct PopulatedRecord: Sendable {
  public let recordID: RecordID
  /// What the response has for it; nil for a record that the response has nothing for.
  public let dictionary: JSONNode?
  /// Whether it was not there before.
  public let isNew: Bool

  private let schema: Schema
  private let entityIndex: EntityIndex
  private let values: [AttributeValue?]

  init(_ row: Row, values: [AttributeValue?]? = nil, dictionary: JSONNode?, isNew: Bool, schema: Schema) {
    recordID = row.id
    entityIndex = row.entity
    self.values = values ?? row.values
    self.dictionary = dictionary
    self.isNew = isNew
    self.schema = schema
  }

  public var entity: EntityName { schema.entities[entityIndex].name }

  /// The value of an attribute. Naming one that the entity does not have is a programming error, as with ``Record``.
  public subscript<Value: AttributeConvertible>(name: PropertyName) -> Value? {
    value(of: name).flatMap(Value.init)
  }

  /// The value of an attribute whatever its type.
  public func value(of name: PropertyName) -> AttributeValue? {
    schema.attribute(name, of: entityIndex).flatMap { values[$0.column] }
  }
}

/// A record while a response populates it: what a ``Marshaler`` may do before and after. Rule: `customise.around`.
///
/// It is of use while the marshaler is asked; after that it has no values, and setting them does nothing. Naming a property
/// that the entity does not have is a programming error, as with ``Record``.
public final class PopulatingRecord {
  public let recordID: RecordID
  public let entity: EntityName
  /// What counts for the record in the response.
  public let dictionary: JSONNode
  /// Whether it was not there before.
  public let isNew: Bool

  private let population: any PopulationAccess

  init(
    _ recordID: RecordID, entity: EntityName, dictionary: JSONNode, isNew: Bool,
    in population: any PopulationAccess
  ) {
    self.recordID = recordID
    self.entity = entity
    self.dictionary = dictionary
    self.isNew = isNew
    self.population = population
  }

  /// The value of an attribute. Leave alone what identifies the record.
  public subscript<Value: AttributeConvertible>(name: PropertyName) -> Value? {
    get { value(of: name).flatMap(Value.init) }
    set { setValue(newValue?.attributeValue, of: name) }
  }

  /// The value of an attribute whatever its type.
  public func value(of name: PropertyName) -> AttributeValue? { population.value(of: name, recordID) }

  /// Sets an attribute. The value must be of the attribute's type.
  public func setValue(_ value: AttributeValue?, of name: PropertyName) {
    population.setValue(value, of: name, recordID)
  }

  /// The records that a relationship leads to: one at most for a to-one; in their order if it is ordered, else oldest
  /// first.
  public func links(of name: PropertyName) -> [PopulatedRecord] { population.links(of: name, recordID) }

  /// Links a record: it becomes the one of a to-one, or a member of a to-many.
  public func link(_ record: PopulatedRecord, to name: PropertyName) {
    population.link(record.recordID, to: name, recordID)
  }

  /// Takes a record out of a relationship.
  public func unlink(_ record: PopulatedRecord, from name: PropertyName) {
    population.unlink(record.recordID, from: name, recordID)
  }
}

/// What marshalers reach of the records that a response populates.
protocol PopulationAccess: AnyObject {
  func value(of name: PropertyName, _ id: RecordID) -> AttributeValue?
  func setValue(_ value: AttributeValue?, of name: PropertyName, _ id: RecordID)
  func links(of name: PropertyName, _ id: RecordID) -> [PopulatedRecord]
  func link(_ target: RecordID, to name: PropertyName, _ id: RecordID)
  func unlink(_ target: RecordID, from name: PropertyName, _ id: RecordID)
}

extension Schema {
  /// The attribute of an entity by its name; nil if only another entity of the tree has it.
  func attribute(_ name: PropertyName, of entity: EntityIndex) -> SchemaAttribute? {
    if let position = entities[entity].attributeIndices[name] {
      return entities[entity].attributes[position]
    }
    precondition(
      entities.contains { $0.tree == entities[entity].tree && $0.attributeIndices[name] != nil },
      "'\(entities[entity].name)' has no attribute '\(name)'")
    return nil
  }

  /// The relationship of an entity by its name; nil if only another entity of the tree has it.
  func relationship(_ name: PropertyName, of entity: EntityIndex) -> SchemaRelationship? {
    if let index = entities[entity].relationshipIndices[name] { return relationships[index] }
    precondition(
      entities.contains { $0.tree == entities[entity].tree && $0.relationshipIndices[name] != nil },
      "'\(entities[entity].name)' has no relationship '\(name)'")
    return nil
  }
}
