/// The type of an attribute. The raw value is its name in a YAML model.
public enum AttributeType: String, Hashable, Sendable, CaseIterable {
  case int16, int32, int64
  case float, double, decimal
  case boolean, string, date, binary, uuid, uri
  /// A JSON value, unchanged or converted by a named value transformer.
  case transformable
}
