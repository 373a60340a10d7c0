/// The result of parsing: one word for each scalar and key, and two for each container, in the order of the text.
///
///     {"a": [1, 2]}   object, its extent, key "a", array, its extent, number 1, number 2
struct Tape: Sendable {
  var words: [TapeWord] = []

  /// The indices of the keys that repeat an earlier key of their object, in the order of the text.
  var duplicateKeys: [Int32] = []

  /// The maximum nesting depth of the containers.
  var depth = 0

  /// Returns the index after the value at `index`, including its children.
  func index(after index: Int) -> Int {
    let word = words[index]
    return word.isContainer ? words[index + 1].next : index + 1
  }
}

/// A word of the tape.
///
/// The word of a value or key contains the offset (30 bits) and the length (30 bits) of its text, its kind, and a flag.
/// The word after a container is its extent: the index after its last word, and the number of its children.
struct TapeWord: Sendable {
  enum Kind: UInt64 {
    case null, `false`, `true`, number, string, array, object
  }

  /// The maximum length of a text: 1 GiB minus one byte.
  static let maximumLength = (1 << 30) - 1

  private(set) var bits: UInt64

  init(_ kind: Kind, offset: Int, length: Int, flag: Bool = false) {
    let extent =
      UInt64(truncatingIfNeeded: offset & Self.maximumLength) << 30
      | UInt64(truncatingIfNeeded: length & Self.maximumLength)
    bits = (flag ? 1 << 63 : 0) | kind.rawValue << 60 | extent
  }

  /// Creates the extent of a container.
  init(next: Int, count: Int) {
    bits =
      UInt64(UInt32(truncatingIfNeeded: next)) << 32 | UInt64(UInt32(truncatingIfNeeded: count))
  }

  var kind: Kind { Kind(rawValue: bits >> 60 & 7) ?? .null }

  /// The kind of the value that the word represents.
  var valueKind: JSONKind {
    switch kind {
    case .null: .null
    case .false, .true: .boolean
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  var isContainer: Bool { bits >> 60 & 7 >= Kind.array.rawValue }

  /// The offset of the text; for a string, after its opening quote.
  var offset: Int { Int(truncatingIfNeeded: bits >> 30) & Self.maximumLength }

  /// The length of the text in bytes; for a string, without its quotes.
  var length: Int { Int(truncatingIfNeeded: bits) & Self.maximumLength }

  /// A flag that depends on the kind. A string or key has escapes. A number has only digits and a sign. An object has
  /// duplicate keys.
  var flag: Bool { bits >> 63 == 1 }

  /// The range of the text; for a string, without its quotes.
  var textRange: Range<Int> { offset..<offset + length }

  /// The index after the container. Valid only for an extent.
  var next: Int { Int(bits >> 32) }

  /// The number of elements or members. Valid only for an extent.
  var count: Int { Int(UInt32(truncatingIfNeeded: bits)) }

  mutating func setFlag() { bits |= 1 << 63 }
}
