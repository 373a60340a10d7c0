public import RecordModel

extension PredicateArgument {
  /// Returns an argument for `%@` with a value of any type that an attribute can have.
  public static func value(_ value: (some AttributeConvertible)?) -> PredicateArgument {
    .value(value?.attributeValue)
  }

  /// Returns an argument for `%@` after `IN` or `BETWEEN`, with a list of values.
  public static func list(_ values: [some AttributeConvertible]) -> PredicateArgument {
    .list(values.map(\.attributeValue))
  }
}
