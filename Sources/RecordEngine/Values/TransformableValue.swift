public import Foundation
import JSONTree
public import RecordModel

/// A `Codable` type for the values of a transformable attribute.
///
/// ```swift
/// struct Settings: TransformableValue {
///   var theme: String
///   var isPublic: Bool
/// }
///
/// final class User: Record {
///   @Field("settings") var settings: Settings?
/// }
/// ```
///
/// The value is decoded at each access. A value that cannot be decoded reads as nil.
///
/// - Complexity: linear in the size of the value.
public protocol TransformableValue: AttributeConvertible, Codable {
  /// The decoder of the values. By default, a `JSONDecoder` with its default strategies.
  static var decoder: JSONDecoder { get }
  /// The encoder of the values. By default, a `JSONEncoder` with its default strategies.
  static var encoder: JSONEncoder { get }
}

extension TransformableValue {
  public static var decoder: JSONDecoder { JSONDecoder() }
  public static var encoder: JSONEncoder { JSONEncoder() }
  public static var attributeType: AttributeType { .transformable }

  public init?(_ value: AttributeValue) {
    guard case .json(let json) = value,
      let decoded = try? Self.decoder.decode(Self.self, from: Data(json.compactText().utf8))
    else { return nil }
    self = decoded
  }

  /// The encoded value. An error of the encoder, for example about an infinite number, stops the program. So does JSON
  /// that is nested more than 512 levels deep.
  public var attributeValue: AttributeValue {
    do {
      return .json(try JSONValue(encoding: self, encoder: Self.encoder))
    } catch {
      preconditionFailure("\(Self.self) cannot be encoded: \(error)")
    }
  }
}
