/// The type of a property with the wrapper ``Field``: an ``AttributeConvertible`` type or an optional of one.
public protocol FieldValue {
  /// The type without the optional.
  associatedtype WrappedValue: AttributeConvertible
  /// A Boolean value that indicates whether the type is optional.
  static var isOptional: Bool { get }
  /// Creates the property's value; nil if the attribute has no value that the type can represent, and the type is not
  /// optional.
  init?(fieldValue: WrappedValue?)
  /// The value of the attribute, or nil if it has none.
  var fieldValue: WrappedValue? { get }
}

extension AttributeConvertible {
  public static var isOptional: Bool { false }
  @inlinable public init?(fieldValue: Self?) {
    guard let fieldValue else { return nil }
    self = fieldValue
  }
  @inlinable public var fieldValue: Self? { self }
}

extension Optional: FieldValue where Wrapped: AttributeConvertible {
  public static var isOptional: Bool { true }
  @inlinable public init?(fieldValue: Wrapped?) { self = fieldValue }
  @inlinable public var fieldValue: Wrapped? { self }
}
