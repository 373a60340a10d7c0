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
