public import JSONTree
public import RecordModel

/// A read-only snapshot of a record that a response populates, for a ``Marshaler``.
public struct PopulatedRecord: Sendable {
  /// The identifier of the record.
  public let recordID: RecordID
  /// The dictionary of the record in the response; nil if the response has none for it.
  public let dictionary: JSONNode?
  /// A Boolean value that indicates whether the record was created by the response.
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

  /// The name of the record's entity.
  public var entity: EntityName { schema.entities[entityIndex].name }

  /// Accesses the value of an attribute; nil if it has none.
  ///
  /// Naming an attribute that the entity does not have is a programming error, as with ``Record``.
  public subscript<Value: AttributeConvertible>(name: PropertyName) -> Value? {
    value(of: name).flatMap(Value.init)
  }

  /// Returns the value of an attribute of any type; nil if it has none.
  public func value(of name: PropertyName) -> AttributeValue? {
    schema.attribute(name, of: entityIndex).flatMap { values[$0.column] }
  }
}

/// A record during its population, which a ``Marshaler`` can read and change before and after its properties are set.
/// Rule: `customize.around`.
///
/// Use it only until the method of the marshaler returns. Afterwards it has no values, and setting them has no effect.
/// Naming a property that the entity does not have is a programming error, as with ``Record``.
public final class PopulatingRecord {
  /// The identifier of the record.
  public let recordID: RecordID
  /// The name of the record's entity.
  public let entity: EntityName
  /// The dictionary that counts for the record in the response.
  public let dictionary: JSONNode
  /// A Boolean value that indicates whether the record was created by the response.
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

  /// Accesses the value of an attribute. Do not set attributes that identify the record.
  public subscript<Value: AttributeConvertible>(name: PropertyName) -> Value? {
    get { value(of: name).flatMap(Value.init) }
    set { setValue(newValue?.attributeValue, of: name) }
  }

  /// Returns the value of an attribute of any type; nil if it has none.
  public func value(of name: PropertyName) -> AttributeValue? { population.value(of: name, recordID) }

  /// Sets the value of an attribute. The value must be of the attribute's type; nil clears the attribute. A value of
  /// another type is ignored, with the diagnostic `value-type`.
  public func setValue(_ value: AttributeValue?, of name: PropertyName) {
    population.setValue(value, of: name, recordID)
  }

  /// Returns the records of a relationship: at most one for a to-one; in their order if it is ordered, otherwise oldest
  /// first.
  public func links(of name: PropertyName) -> [PopulatedRecord] { population.links(of: name, recordID) }

  /// Links a record. It becomes the target of a to-one, or a member of a to-many.
  public func link(_ record: PopulatedRecord, to name: PropertyName) {
    population.link(record.recordID, to: name, recordID)
  }

  /// Removes a record from a relationship.
  public func unlink(_ record: PopulatedRecord, from name: PropertyName) {
    population.unlink(record.recordID, from: name, recordID)
  }
}

/// The access of marshalers to the records that a response populates.
protocol PopulationAccess: AnyObject {
  func value(of name: PropertyName, _ id: RecordID) -> AttributeValue?
  func setValue(_ value: AttributeValue?, of name: PropertyName, _ id: RecordID)
  func links(of name: PropertyName, _ id: RecordID) -> [PopulatedRecord]
  func link(_ target: RecordID, to name: PropertyName, _ id: RecordID)
  func unlink(_ target: RecordID, from name: PropertyName, _ id: RecordID)
}

extension Schema {
  /// Returns an attribute of an entity by name; nil if only another entity of the tree has it.
  func attribute(_ name: PropertyName, of entity: EntityIndex) -> SchemaAttribute? {
    if let position = entities[entity].attributeIndices[name] {
      return entities[entity].attributes[position]
    }
    precondition(
      entities.contains { $0.tree == entities[entity].tree && $0.attributeIndices[name] != nil },
      "'\(entities[entity].name)' has no attribute '\(name)'")
    return nil
  }

  /// Returns a relationship of an entity by name; nil if only another entity of the tree has it.
  func relationship(_ name: PropertyName, of entity: EntityIndex) -> SchemaRelationship? {
    if let index = entities[entity].relationshipIndices[name] { return relationships[index] }
    precondition(
      entities.contains { $0.tree == entities[entity].tree && $0.relationshipIndices[name] != nil },
      "'\(entities[entity].name)' has no relationship '\(name)'")
    return nil
  }
}
