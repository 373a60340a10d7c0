/// One value of a parsed document. It is a reference into the document's tape: cheap to copy, read when asked.
///
/// A node keeps its document alive.
public struct JSONNode: Sendable {
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

  public var kind: JSONKind { word.valueKind }

  public var isNull: Bool { word.kind == .null }

  /// Nil if this is no boolean.
  public var boolean: Bool? {
    switch word.kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The number with its digits; nil if this is none.
  public var number: JSONNumber? {
    word.kind == .number ? JSONNumber(checkedDigits: document.text(of: word)) : nil
  }

  /// The text that a string stands for, escapes resolved; nil if this is no string.
  public var string: String? {
    word.kind == .string ? document.string(of: word) : nil
  }

  /// Elements of an array or members of an object, duplicates included; 0 for anything else.
  public var count: Int {
    word.isContainer ? document.tape.words[Int(index) + 1].count : 0
  }

  /// The bytes of the value in the document.
  public var byteRange: Range<Int> {
    let range = word.textRange
    return word.kind == .string ? range.lowerBound - 1..<range.upperBound + 1 : range
  }

  /// Where the value starts. Linear in the bytes before it.
  public var location: JSONLocation { document.location(ofByte: byteRange.lowerBound) }

  /// The value as a tree of its own. Of duplicate keys, the last one's value stands in the first one's place.
  public var value: JSONValue { document.value(at: Int(index)) }
}

extension JSONDocument {
  /// The bytes of a scalar as they stand.
  func text(of word: TapeWord) -> String {
    String(decoding: bytes[word.textRange], as: UTF8.self)
  }

  /// What a string or key stands for.
  func string(of word: TapeWord) -> String {
    word.flag
      ? String(decoding: EscapedText.unescaped(bytes[word.textRange]), as: UTF8.self) : text(of: word)
  }

  /// The tree of the value at a place of the tape.
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

  /// Whether a string or key stands for these bytes. Makes no string.
  func string(of word: TapeWord, equals text: UnsafeBufferPointer<UInt8>) -> Bool {
    if word.flag {
      // Escapes never make a text shorter.
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

/// Gives the UTF-8 of a text to `body`, without a copy wherever Swift stores it as such.
func withUTF8<Result>(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
  if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
  return Array(text.utf8).withUnsafeBufferPointer(body)
}
