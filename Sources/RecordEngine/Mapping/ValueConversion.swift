public import JSONTree
public import RecordModel

/// The conversion of a value of a response to a value of an attribute. Rule: `customize.value`.
public struct ValueConversion: Sendable {
  /// The entity of the item.
  public let entity: EntityName
  /// The value in the response. It is never null.
  public let rawValue: JSONNode

  let description: SchemaAttribute
  let transformer: (any RecordValueTransformer)?

  /// The name of the attribute.
  public var attribute: PropertyName { description.name }
  /// The type of the attribute.
  public var type: AttributeType { description.type }

  /// The result of the standard conversion; nil if the value cannot be converted to the type of the attribute.
  public var standardValue: AttributeValue? { convert(rawValue) }

  /// Returns the result of the standard conversion of another value; nil for a null, and if the value cannot be
  /// converted.
  public func standardValue(of json: JSONValue) -> AttributeValue? {
    json == .null ? nil : convert(JSONDocument(json).root)
  }

  private func convert(_ node: JSONNode) -> AttributeValue? {
    AttributeValue(converting: node, to: description, transformer)
  }
}

extension AttributeValue {
  /// Converts a value of a response to a value of an attribute, with the transformer of the attribute if it has one. Of a
  /// text that matches the key pattern of the attribute, only the key is converted. Returns nil if the conversion fails.
  init?(
    converting node: JSONNode, to attribute: SchemaAttribute, _ transformer: (any RecordValueTransformer)?
  ) {
    if attribute.type == .transformable, let transformer {
      guard let value = try? transformer.value(from: node.value) else { return nil }
      self = .json(value)
    } else {
      var node = node
      if let key = node.string.flatMap({ attribute.keyPattern?.key(in: $0) }) {
        node = JSONDocument(.string(key), inPlaceOf: node).root
      }
      self.init(converting: node, to: attribute.type, dateFormat: attribute.dateFormat)
    }
  }
}

extension PathFinding {
  /// The value as JSON for a message, shortened to 60 characters.
  var excerpt: String { excerpt(of: 60) }

  /// Returns the value as JSON for a message, shortened to a number of characters.
  func excerpt(of limit: Int) -> String {
    let text = node.value.compactText()
    return text.count > limit ? text.prefix(limit - 3) + "…" : text
  }
}
