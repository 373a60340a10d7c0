/// A key of an object as it stands in the bytes: compared without making a `String`.
package struct JSONKey: Sendable {
  let document: JSONDocument
  let word: TapeWord

  /// The key, escapes resolved.
  package var string: String { document.string(of: word) }

  /// The bytes of the key if they stand for themselves; nil if it has escapes.
  package var rawBytes: ArraySlice<UInt8>? { word.flag ? nil : document.bytes[word.textRange] }

  /// Where the key starts, its quote included.
  package var location: JSONLocation { document.location(ofByte: word.offset - 1) }

  package static func == (key: JSONKey, text: String) -> Bool {
    withUTF8(text) { key.document.string(of: key.word, equals: $0) }
  }

  package static func == (key: JSONKey, utf8: [UInt8]) -> Bool {
    utf8.withUnsafeBufferPointer { key.document.string(of: key.word, equals: $0) }
  }
}

// Scalars straight from the bytes, for those who read a great many of them.
extension JSONNode {
  /// Whether this is a string that stands for `text`. Makes no string.
  package func string(equals text: String) -> Bool {
    word.kind == .string && withUTF8(text) { document.string(of: word, equals: $0) }
  }

  /// The bytes of a string without its quotes, if they stand for themselves, or of a number; nil for a string with
  /// escapes and anything else.
  package var rawBytes: ArraySlice<UInt8>? {
    switch word.kind {
    case .number: document.bytes[word.textRange]
    case .string: word.flag ? nil : document.bytes[word.textRange]
    default: nil
    }
  }

  /// The value of a number that is an integer of 64 bits, also one written `1.0` or `1e3`; nil for anything else.
  package var int64: Int64? {
    guard word.kind == .number else { return nil }
    return word.flag ? JSONNumber.plainInteger(document.bytes[word.textRange]) : number?.int64Value
  }
}
