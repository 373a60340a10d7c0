import JSONTree
import RecordModel

/// The conversions of the rules for the types of random models. Rules: `values.*`, `mapping.*`.
enum ReferenceValue {
  /// Returns the converted value, or nil if the value does not convert to the type.
  static func converted(_ value: JSONValue, to type: AttributeType) -> JSONValue? {
    switch type {
    case .string: string(value)
    case .boolean: boolean(value)
    case .int32: integer(value, Int64(Int32.min)...Int64(Int32.max))
    case .int64: integer(value, Int64.min...Int64.max)
    default: nil
    }
  }

  private static func string(_ value: JSONValue) -> JSONValue? {
    switch value {
    case .string: value
    case .number(let number): .string(number.digits)
    case .boolean(let boolean): .string(boolean ? "1" : "0")
    default: nil
    }
  }

  private static func integer(_ value: JSONValue, _ range: ClosedRange<Int64>) -> JSONValue? {
    let found: Int64? =
      switch value {
      case .string(let text): Int64(text)
      case .number(let number): number.int64Value
      case .boolean(let boolean): boolean ? 1 : 0
      default: nil
      }
    guard let found, range.contains(found) else { return nil }
    return .number(JSONNumber(found))
  }

  private static func boolean(_ value: JSONValue) -> JSONValue? {
    switch value {
    case .boolean: return value
    case .number(let number): return .boolean(number != JSONNumber(0))
    case .string(let text):
      if ["y", "yes", "t", "true", "1"].contains(text.lowercased()) { return true }
      if ["n", "no", "f", "false", "0"].contains(text.lowercased()) { return false }
      return nil
    default: return nil
    }
  }

  // MARK: Lookup

  /// Returns the value at a path of keys, or nil if it is absent. A path through a null is absent too.
  static func find(_ path: MappingPath, in item: JSONValue) -> JSONValue? {
    var value = item
    for case .key(let key) in path.components {
      guard let next = value[key] else { return nil }
      value = next
    }
    return value
  }

  /// Returns the value at the first path that is present, including null.
  static func find(_ name: PropertyName, from paths: [MappingPath], in item: JSONValue) -> JSONValue? {
    (paths + [MappingPath(keys: [name.rawValue])]).lazy.compactMap { find($0, in: item) }.first
  }

  /// Returns the value at the first path that is present and not null, as for keys.
  static func findKey(_ attribute: AttributeDescription, in item: JSONValue) -> JSONValue? {
    (attribute.from + [MappingPath(keys: [attribute.name.rawValue])]).lazy
      .compactMap { find($0, in: item) }.first { $0 != .null }
  }

  /// Returns the items of an array, with nested arrays flattened. Any other value is one item.
  static func items(_ value: JSONValue) -> [JSONValue] {
    if case .array(let elements) = value { elements.flatMap(items) } else { [value] }
  }
}
