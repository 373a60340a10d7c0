public import Foundation
public import JSONTree
public import RecordModel

/// A Swift type in which the value of an attribute can be read and set.
public protocol AttributeConvertible {
  /// Creates an instance from the value of an attribute, or returns nil if the type cannot represent the value.
  init?(_ value: AttributeValue)
  /// The value of the attribute that represents this instance.
  var attributeValue: AttributeValue { get }
}

extension AttributeConvertible where Self: FixedWidthInteger {
  public init?(_ value: AttributeValue) {
    guard case .integer(let integer) = value else { return nil }
    self.init(exactly: integer)
  }
  public var attributeValue: AttributeValue { .integer(Int64(self)) }
}

extension Int: AttributeConvertible {}
extension Int16: AttributeConvertible {}
extension Int32: AttributeConvertible {}
extension Int64: AttributeConvertible {}

extension Double: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    if case .double(let double) = value { self = double } else { return nil }
  }
  public var attributeValue: AttributeValue { .double(self) }
}

extension Float: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    if case .double(let double) = value { self = Float(double) } else { return nil }
  }
  public var attributeValue: AttributeValue { .double(Double(self)) }
}

extension Decimal: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    if case .decimal(let decimal) = value { self = decimal } else { return nil }
  }
  public var attributeValue: AttributeValue { .decimal(self) }
}

extension Bool: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    if case .boolean(let boolean) = value { self = boolean } else { return nil }
  }
  public var attributeValue: AttributeValue { .boolean(self) }
}

extension String: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    if case .string(let string) = value { self = string } else { return nil }
  }
  public var attributeValue: AttributeValue { .string(self) }
}

extension Date: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    if case .date(let date) = value { self = date } else { return nil }
  }
  public var attributeValue: AttributeValue { .date(self) }
}

extension Data: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    if case .binary(let data) = value { self = data } else { return nil }
  }
  public var attributeValue: AttributeValue { .binary(self) }
}

extension UUID: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    if case .uuid(let uuid) = value { self = uuid } else { return nil }
  }
  public var attributeValue: AttributeValue { .uuid(self) }
}

extension URL: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    if case .uri(let url) = value { self = url } else { return nil }
  }
  public var attributeValue: AttributeValue { .uri(self) }
}

extension JSONValue: AttributeConvertible {
  public init?(_ value: AttributeValue) {
    if case .json(let json) = value { self = json } else { return nil }
  }
  public var attributeValue: AttributeValue { .json(self) }
}
