public import Foundation
public import JSONTree

/// The value of an attribute of a record. The type `AttributeValue?` represents an attribute that may have no value.
public enum AttributeValue: Hashable, Sendable {
  /// The value of an attribute of type int16, int32 or int64.
  case integer(Int64)
  /// The value of an attribute of type double, or of type float after rounding to single precision.
  case double(Double)
  case decimal(Decimal)
  case boolean(Bool)
  case string(String)
  case date(Date)
  case binary(Data)
  case uuid(UUID)
  case uri(URL)
  /// The value of a transformable attribute.
  case json(JSONValue)
}

/// Strings are equal if they have the same Unicode scalars, as in JSON, in predicates and in SQL. A composed `é` and an
/// `e` with a combining accent are therefore different keys.
extension AttributeValue {
  public static func == (left: AttributeValue, right: AttributeValue) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.decimal(let left), .decimal(let right)): left == right
    case (.boolean(let left), .boolean(let right)): left == right
    case (.string(let left), .string(let right)): haveSameScalars(left, right)
    case (.date(let left), .date(let right)): left == right
    case (.binary(let left), .binary(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.uri(let left), .uri(let right)): left == right
    case (.json(let left), .json(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .decimal(let value): hasher.combine(value)
    case .boolean(let value): hasher.combine(value)
    case .string(let value): hasher.combine(scalarsOf: value)
    case .date(let value): hasher.combine(value)
    case .binary(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .uri(let value): hasher.combine(value)
    case .json(let value): hasher.combine(value)
    }
  }
}
