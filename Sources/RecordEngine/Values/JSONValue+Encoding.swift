import Foundation
import JSONTree

extension JSONValue {
  /// Creates the JSON value that an encoder makes of a value.
  ///
  /// - Throws: the error of the encoder, or `JSONSyntaxError` if the JSON is nested more than 512 levels deep.
  /// - Complexity: linear in the size of the JSON.
  init(encoding value: some Encodable, encoder: JSONEncoder) throws {
    self = try JSONDocument(parsing: [UInt8](try encoder.encode(value))).root.value
  }
}
