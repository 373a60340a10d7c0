public import Foundation
public import JSONTree
public import RecordModel

/// A Swift type in which the value of an attribute can be read and set.
///
/// An enum with raw values conforms without any code, and so does a `Codable` type as a ``TransformableValue``:
///
/// ```swift
/// enum State: String, AttributeConvertible { case open, closed }
/// ```
///
/// Do not conform an optional type. A property of an optional type has the value nil if the attribute has no value.
public protocol AttributeConvertible: FieldValue where WrappedValue == Self {
  /// Creates an instance from the value of an attribute, or returns nil if the type cannot represent the value.
  init?(_ value: AttributeValue)
  /// The value of the attribute that represents this instance.
  var attributeValue: AttributeValue { get }
  /// The type of the attributes that this type represents. Integer types also represent the other integer attributes,
  /// and floating-point types the other floating-point attributes.
  static var attributeType: AttributeType { get }
  /// A Boolean value that indicates whether the type can represent each value of an attribute of ``attributeType``. By
  /// default, it is false.
  static var representsAllValues: Bool { get }
}

extension AttributeConvertible {
  public static var representsAllValues: Bool { false }
}

extension AttributeConvertible where Self: FixedWidthInteger {
  @inlinable
  public init?(_ value: AttributeValue) {
    guard case .integer(let integer) = value else { return nil }
    self.init(exactly: integer)
  }
  public var attributeValue: AttributeValue { .integer(Int64(self)) }
}

extension Int: AttributeConvertible {
  public static var attributeType: AttributeType { .int64 }
  public static var representsAllValues: Bool { bitWidth == 64 }
}

extension Int8: AttributeConvertible {
  public static var attributeType: AttributeType { .int16 }
}

extension Int16: AttributeConvertible {
  public static var attributeType: AttributeType { .int16 }
  public static var representsAllValues: Bool { true }
}

extension Int32: AttributeConvertible {
  public static var attributeType: AttributeType { .int32 }
  public static var representsAllValues: Bool { true }
}

extension Int64: AttributeConvertible {
  public static var attributeType: AttributeType { .int64 }
  public static var representsAllValues: Bool { true }
}

extension UInt8: AttributeConvertible {
  public static var attributeType: AttributeType { .int16 }
}

extension UInt16: AttributeConvertible {
  public static var attributeType: AttributeType { .int32 }
}

extension UInt32: AttributeConvertible {
  public static var attributeType: AttributeType { .int64 }
}

/// Setting a value above `Int64.max` stops the program.
extension UInt64: AttributeConvertible {
  public static var attributeType: AttributeType { .int64 }
}

/// Setting a value above `Int64.max` stops the program.
extension UInt: AttributeConvertible {
  public static var attributeType: AttributeType { .int64 }
}

extension AttributeConvertible where Self: RawRepresentable, RawValue: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    guard let rawValue = RawValue(value) else { return nil }
    self.init(rawValue: rawValue)
  }
  public var attributeValue: AttributeValue { rawValue.attributeValue }
  public static var attributeType: AttributeType { RawValue.attributeType }
}

extension Double: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    if case .double(let double) = value { self = double } else { return nil }
  }
  public var attributeValue: AttributeValue { .double(self) }
  public static var attributeType: AttributeType { .double }
  public static var representsAllValues: Bool { true }
}

extension Float: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    if case .double(let double) = value { self = Float(double) } else { return nil }
  }
  public var attributeValue: AttributeValue { .double(Double(self)) }
  public static var attributeType: AttributeType { .float }
  public static var representsAllValues: Bool { true }
}

extension Decimal: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    if case .decimal(let decimal) = value { self = decimal } else { return nil }
  }
  public var attributeValue: AttributeValue { .decimal(self) }
  public static var attributeType: AttributeType { .decimal }
  public static var representsAllValues: Bool { true }
}

extension Bool: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    if case .boolean(let boolean) = value { self = boolean } else { return nil }
  }
  public var attributeValue: AttributeValue { .boolean(self) }
  public static var attributeType: AttributeType { .boolean }
  public static var representsAllValues: Bool { true }
}

extension String: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    if case .string(let string) = value { self = string } else { return nil }
  }
  public var attributeValue: AttributeValue { .string(self) }
  public static var attributeType: AttributeType { .string }
  public static var representsAllValues: Bool { true }
}

extension Date: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    if case .date(let date) = value { self = date } else { return nil }
  }
  public var attributeValue: AttributeValue { .date(self) }
  public static var attributeType: AttributeType { .date }
  public static var representsAllValues: Bool { true }
}

extension Data: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    if case .binary(let data) = value { self = data } else { return nil }
  }
  public var attributeValue: AttributeValue { .binary(self) }
  public static var attributeType: AttributeType { .binary }
  public static var representsAllValues: Bool { true }
}

extension UUID: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    if case .uuid(let uuid) = value { self = uuid } else { return nil }
  }
  public var attributeValue: AttributeValue { .uuid(self) }
  public static var attributeType: AttributeType { .uuid }
  public static var representsAllValues: Bool { true }
}

extension URL: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    if case .uri(let url) = value { self = url } else { return nil }
  }
  public var attributeValue: AttributeValue { .uri(self) }
  public static var attributeType: AttributeType { .uri }
  public static var representsAllValues: Bool { true }
}

extension JSONValue: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    if case .json(let json) = value { self = json } else { return nil }
  }
  public var attributeValue: AttributeValue { .json(self) }
  public static var attributeType: AttributeType { .transformable }
  public static var representsAllValues: Bool { true }
}
