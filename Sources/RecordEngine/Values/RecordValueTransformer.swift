public import JSONTree

/// Makes the value of a transformable attribute from what the response has.
///
/// A transformer is registered with the engine under the name that the model gives
/// (``AttributeDescription/transformer``). It is JSON in and JSON out, so that what it makes can
/// be stored, dumped and compared; typed views of it belong to the record class.
///
/// ```swift
/// struct TagList: RecordValueTransformer {
///   func value(from json: JSONValue) throws -> JSONValue {
///     guard case .string(let text) = json else { return json }
///     return .array(text.split(separator: ",").map { .string(String($0)) })
///   }
/// }
/// ```
/// makes `["swift", "json"]` of `"swift,json"`.
///
/// The name has `Record` before it because Foundation has a class `ValueTransformer`.
/// Rule: `values.transformable`.
public protocol RecordValueTransformer: Sendable {
  /// The value to store.
  ///
  /// It is asked for while a response is populated: it must not save, nor wait for a save or a request; see
  /// ``KeyInjection``.
  ///
  /// - Parameter json: what the response has for the attribute; never null.
  /// - Returns: the value; null clears the attribute.
  /// - Throws: any error, if `json` cannot become a value: the record keeps what it had, with a diagnostic
  ///   `value-type`.
  func value(from json: JSONValue) throws -> JSONValue
}
