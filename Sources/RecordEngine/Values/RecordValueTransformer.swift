public import JSONTree

/// A type that converts a value of the response to the value of a transformable attribute.
///
/// A transformer is registered with the engine under the name that the model specifies
/// (``AttributeDescription/transformer``). It converts JSON to JSON, so that the result can be stored, dumped and
/// compared. Typed views of the result belong to the record class.
///
/// ```swift
/// struct TagList: RecordValueTransformer {
///   func value(from json: JSONValue) throws -> JSONValue {
///     guard case .string(let text) = json else { return json }
///     return .array(text.split(separator: ",").map { .string(String($0)) })
///   }
/// }
/// ```
///
/// This transformer converts `"swift,json"` to `["swift", "json"]`.
///
/// The name begins with `Record` because Foundation has a class `ValueTransformer`. Rule: `values.transformable`.
public protocol RecordValueTransformer: Sendable {
  /// Returns the value to store.
  ///
  /// The method is called while a response is populated. It must not save, and must not wait for a save or a request;
  /// see ``KeyInjection``.
  ///
  /// - Parameter json: the value of the response for the attribute, which is never null.
  /// - Returns: the value to store; null clears the attribute.
  /// - Throws: any error if `json` cannot be converted. The record then keeps its value, and the diagnostic
  ///   `value-type` reports the error.
  func value(from json: JSONValue) throws -> JSONValue
}
