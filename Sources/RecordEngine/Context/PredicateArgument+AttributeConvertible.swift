public import RecordModel

extension PredicateArgument {
  /// For `%@`: a value of any type that an attribute can have.
  public static func value(_ value: (some AttributeConvertible)?) -> PredicateArgument {
    .value(value?.attributeValue)
  }

  /// For `%@`, behind `IN` or `BETWEEN`.
  public static func list(_ values: [some AttributeConvertible]) -> PredicateArgument {
    .list(values.map(\.attributeValue))
  }
}
