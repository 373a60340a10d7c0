public import JSONTree

/// An attribute of an entity.
public struct AttributeDescription: Hashable, Sendable {
  public var name: PropertyName
  public var type: AttributeType

  /// The alternate names, asked in order before the attribute's own name. Rule: `mapping.alternate-name`.
  public var from: [MappingPath]

  /// Whether the attribute's own name is asked after the alternate ones. False and no alternate name: items have nothing
  /// for it. Rule: `mapping.name`.
  public var usesOwnName: Bool

  /// How a string becomes a date, as a Unicode date format pattern or `iso8601`.
  /// Nil: the entity's, its ancestors', the model's. Rule: `values.date.format`.
  public var format: String?

  /// What a new record starts with, in the form of a golden file (dates as RFC 3339, binary as base64).
  /// Rule: `values.default`.
  public var defaultValue: JSONValue?

  public var isOptional: Bool

  /// What a JSON null does. Nil: the entity's, its ancestors', the model's. Rule: `mapping.null`.
  public var null: NullPolicy?

  /// The name of the value transformer that makes the value of a transformable attribute.
  public var transformer: String?

  /// What it was called before, so that a stored file keeps its values. Nil: it always had its name.
  public var renamingIdentifier: String?

  public init(
    _ name: PropertyName, _ type: AttributeType, from: [MappingPath] = [], usesOwnName: Bool = true,
    format: String? = nil, default defaultValue: JSONValue? = nil, isOptional: Bool = true,
    null: NullPolicy? = nil,
    transformer: String? = nil, renamingIdentifier: String? = nil
  ) {
    self.name = name
    self.type = type
    self.from = from
    self.usesOwnName = usesOwnName
    self.format = format
    self.defaultValue = defaultValue
    self.isOptional = isOptional
    self.null = null
    self.transformer = transformer
    self.renamingIdentifier = renamingIdentifier
  }
}

/// What a JSON null does to the attribute or to-one relationship that it is found for. Rule: `mapping.null`.
public enum NullPolicy: String, Hashable, Sendable, CaseIterable {
  /// It clears the property. The default.
  case clear
  /// The property keeps what it had.
  case keep
}
