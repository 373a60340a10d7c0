/// A key of an object, as a reference into the bytes of the document. Compares with texts without creating a `String`.
package struct JSONKey: Sendable {
  let document: JSONDocument
  let word: TapeWord

  /// The key without escapes.
  package var string: String { document.string(of: word) }

  /// The bytes of the key; nil if they contain escapes.
  package var rawBytes: ArraySlice<UInt8>? { word.flag ? nil : document.bytes[word.textRange] }

  /// The location of the opening quote of the key.
  package var location: JSONLocation { document.location(ofByte: word.offset - 1) }

  package static func == (key: JSONKey, text: String) -> Bool {
    withUTF8(text) { key.document.string(of: key.word, equals: $0) }
  }

  package static func == (key: JSONKey, utf8: [UInt8]) -> Bool {
    utf8.withUnsafeBufferPointer { key.document.string(of: key.word, equals: $0) }
  }
}

// Direct access to the bytes of scalars, for code that reads many values.
extension JSONNode {
  /// Returns a Boolean value that indicates whether the value is a string equal to `text`. Creates no string.
  package func string(equals text: String) -> Bool {
    word.kind == .string && withUTF8(text) { document.string(of: word, equals: $0) }
  }

  /// The bytes of a number or of a string without its quotes; nil for a string with escapes and for other values.
  package var rawBytes: ArraySlice<UInt8>? {
    switch word.kind {
    case .number: document.bytes[word.textRange]
    case .string: word.flag ? nil : document.bytes[word.textRange]
    default: nil
    }
  }

  /// The value of a number that is a 64-bit integer, including one written as `1.0` or `1e3`; nil for other values.
  package var int64: Int64? {
    guard word.kind == .number else { return nil }
    return word.flag ? JSONNumber.plainInteger(document.bytes[word.textRange]) : number?.int64Value
  }
}
