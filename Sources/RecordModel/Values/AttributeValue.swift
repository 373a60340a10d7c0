public import Foundation
public import JSONTree

/// The value of one attribute of one record. Nil is expressed by `AttributeValue?`.
public enum AttributeValue: Hashable, Sendable {
  /// int16, int32 and int64.
  case integer(Int64)
  /// double, and float after rounding to single precision.
  case double(Double)
  case decimal(Decimal)
  case boolean(Bool)
  case string(String)
  case date(Date)
  case binary(Data)
  case uuid(UUID)
  case uri(URL)
  /// transformable.
  case json(JSONValue)
}

/// Two strings are one value if they have the same Unicode scalars, as in JSON, in predicates and in SQL: a composed
/// `é` and an `e` with an accent are two keys.
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
