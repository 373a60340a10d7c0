public import JSONTree

/// A description of an attribute of an entity.
public struct AttributeDescription: Hashable, Sendable {
  /// The name of the attribute.
  public var name: PropertyName
  /// The type of the attribute.
  public var type: AttributeType

  /// The alternate names, which are tried in order before the attribute's own name. Rule: `mapping.alternate-name`.
  public var from: [MappingPath]

  /// A Boolean value that indicates whether the attribute's own name is tried after the alternate names. The default is
  /// true. If it is false and there are no alternate names, the attribute is not read from items. Rule: `mapping.name`.
  public var usesOwnName: Bool

  /// The format of a date: `iso8601`, `unix` (seconds since 1970), `unix-milliseconds`, or a Unicode date pattern, which a
  /// time zone can follow, as in `yyyy-MM-dd HH:mm[Europe/Berlin]`. Several formats, separated by `|`, are tried in order.
  /// If nil, the format of the nearest of the entity, its ancestors and the model applies. Rule: `values.date.format`.
  public var format: String?

  /// The value of the attribute in a new record, in the format of a golden file (dates as RFC 3339, binary as base64).
  /// Rule: `values.default`.
  public var defaultValue: JSONValue?

  /// A Boolean value that indicates whether the attribute may have no value. The default is true.
  public var isOptional: Bool

  /// The effect of a JSON null. If nil, the policy of the nearest of the entity, its ancestors and the model applies.
  /// Rule: `mapping.null`.
  public var null: NullPolicy?

  /// The values that mean null. If nil, those of the nearest of the entity, its ancestors and the model apply.
  /// Rule: `mapping.null-values`.
  public var nullValues: [JSONValue]?

  /// The name of the value transformer that creates the value of a transformable attribute.
  public var transformer: String?

  /// The former name of the attribute, by which an existing store keeps its values. Nil if the attribute was not
  /// renamed.
  public var renamingIdentifier: String?

  /// Creates the description of an attribute.
  public init(
    _ name: PropertyName, _ type: AttributeType, from: [MappingPath] = [], usesOwnName: Bool = true,
    format: String? = nil, default defaultValue: JSONValue? = nil, isOptional: Bool = true,
    null: NullPolicy? = nil, nullValues: [JSONValue]? = nil,
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
    self.nullValues = nullValues
    self.transformer = transformer
    self.renamingIdentifier = renamingIdentifier
  }
}

/// The effect of a JSON null on an attribute or a to-one relationship. Rule: `mapping.null`.
public enum NullPolicy: String, Hashable, Sendable, CaseIterable {
  /// A null clears the property. This is the default.
  case clear
  /// A null leaves the property unchanged.
  case keep
}
