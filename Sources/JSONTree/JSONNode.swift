/// A value of a parsed document. A node is a reference into the document's tape: it is cheap to copy and reads its
/// value on access.
///
/// A node retains its document.
public struct JSONNode: Sendable {
  /// The document that contains the value.
  public let document: JSONDocument
  package let index: Int32

  package init(document: JSONDocument, index: Int32) {
    self.document = document
    self.index = index
  }

  init(document: JSONDocument, index: Int) {
    self.init(document: document, index: Int32(truncatingIfNeeded: index))
  }

  var word: TapeWord { document.tape.words[Int(index)] }

  /// The kind of the value.
  public var kind: JSONKind { word.valueKind }

  /// A Boolean value that indicates whether the value is `null`.
  public var isNull: Bool { word.kind == .null }

  /// The value of a Boolean; nil for other values.
  public var boolean: Bool? {
    switch word.kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The number with all its digits; nil for other values.
  public var number: JSONNumber? {
    word.kind == .number ? JSONNumber(checkedDigits: document.text(of: word)) : nil
  }

  /// The string without escapes; nil for other values.
  public var string: String? {
    word.kind == .string ? document.string(of: word) : nil
  }

  /// The number of elements of an array, or of members of an object including duplicates; 0 for other values.
  public var count: Int {
    word.isContainer ? document.tape.words[Int(index) + 1].count : 0
  }

  /// The range of the value's bytes in the document.
  public var byteRange: Range<Int> {
    let range = word.textRange
    return word.kind == .string ? range.lowerBound - 1..<range.upperBound + 1 : range
  }

  /// The location of the start of the value.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes before the value.
  public var location: JSONLocation { document.location(ofByte: byteRange.lowerBound) }

  /// The value as an independent tree. If a key occurs more than once, its last value takes the position of the first.
  public var value: JSONValue { document.value(at: Int(index)) }
}

extension JSONDocument {
  /// The bytes of a scalar, as text.
  func text(of word: TapeWord) -> String {
    String(decoding: bytes[word.textRange], as: UTF8.self)
  }

  /// The string or key of a word, without escapes.
  func string(of word: TapeWord) -> String {
    word.flag
      ? String(decoding: EscapedText.unescaped(bytes[word.textRange]), as: UTF8.self) : text(of: word)
  }

  /// The tree of the value at an index of the tape.
  func value(at index: Int) -> JSONValue {
    let word = tape.words[index]
    switch word.kind {
    case .null: return .null
    case .false: return .boolean(false)
    case .true: return .boolean(true)
    case .number: return .number(JSONNumber(checkedDigits: text(of: word)))
    case .string: return .string(string(of: word))
    case .array:
      var elements: [JSONValue] = []
      let extent = tape.words[index + 1]
      elements.reserveCapacity(extent.count)
      var child = index + 2
      while child < extent.next {
        elements.append(value(at: child))
        child = tape.index(after: child)
      }
      return .array(elements)
    case .object:
      let extent = tape.words[index + 1]
      var members = JSONObject(minimumCapacity: extent.count)
      var key = index + 2
      while key < extent.next {
        members[string(of: tape.words[key])] = value(at: key + 1)
        key = tape.index(after: key + 1)
      }
      return .object(members)
    }
  }

  /// Returns whether a string or key is equal to the UTF-8 bytes of a text. Creates no string.
  func string(of word: TapeWord, equals text: UnsafeBufferPointer<UInt8>) -> Bool {
    if word.flag {
      // Unescaping never lengthens a text.
      return word.length >= text.count && EscapedText.unescaped(bytes[word.textRange]).elementsEqual(text)
    }
    guard word.length == text.count else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      let offset = word.offset
      for position in 0..<text.count where bytes[offset + position] != text[position] { return false }
      return true
    }
  }
}

/// Calls `body` with the UTF-8 of a text, without a copy if Swift stores the text as contiguous UTF-8.
func withUTF8<Result>(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
  if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
  return Array(text.utf8).withUnsafeBufferPointer(body)
}
