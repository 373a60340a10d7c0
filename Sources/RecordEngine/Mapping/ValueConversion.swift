public import JSONTree
public import RecordModel

/// A value of a response that is to become the value of an attribute. Rule: `customise.value`.
public struct ValueConversion: Sendable {
  /// The entity of the item.
  public let entity: EntityName
  /// What the response has; never null.
  public let rawValue: JSONNode

  let description: SchemaAttribute
  let transformer: (any RecordValueTransformer)?

  public var attribute: PropertyName { description.name }
  public var type: AttributeType { description.type }

  /// What the engine makes of it; nil if it cannot be a value of the attribute's type.
  public var standardValue: AttributeValue? { convert(rawValue) }

  /// What the engine makes of another value.
  public func standardValue(of json: JSONValue) -> AttributeValue? {
    json == .null ? nil : convert(JSONDocument(json).root)
  }

  private func convert(_ node: JSONNode) -> AttributeValue? {
    AttributeValue(converting: node, to: description, transformer)
  }
}

extension AttributeValue {
  /// The value of an attribute that a value of a response becomes, by its transformer if it has one.
  init?(
    converting node: JSONNode, to attribute: SchemaAttribute, _ transformer: (any RecordValueTransformer)?
  ) {
    if attribute.type == .transformable, let transformer {
      guard let value = try? transformer.value(from: node.value) else { return nil }
      self = .json(value)
    } else {
      self.init(converting: node, to: attribute.type, dateFormat: attribute.dateFormat)
    }
  }
}
