/// What the parser leaves behind: one word per scalar and per key, two per container, in the order of the text.
///
///     {"a": [1, 2]}   object, its extent, key "a", array, its extent, number 1, number 2
struct Tape: Sendable {
  var words: [TapeWord] = []

  /// The words of the keys that repeat an earlier key of their object, in the order of the text.
  var duplicateKeys: [Int32] = []

  /// How many containers stand within each other at the deepest place.
  var depth = 0

  /// The index behind the value at `index`, whatever is in it.
  func index(after index: Int) -> Int {
    let word = words[index]
    return word.isContainer ? words[index + 1].next : index + 1
  }
}

/// One word of the tape.
///
/// A value or key: where its text starts (30 bits) and how long it is (30 bits), its kind, and a flag.
/// The word behind a container is its extent: the index behind its last word, and how many children it has.
struct TapeWord: Sendable {
  enum Kind: UInt64 {
    case null, `false`, `true`, number, string, array, object
  }

  /// The longest text that fits: 1 GiB less one byte.
  static let maximumLength = (1 << 30) - 1

  private(set) var bits: UInt64

  init(_ kind: Kind, offset: Int, length: Int, flag: Bool = false) {
    let index =
      UInt64(truncatingIfNeeded: offset & Self.maximumLength) << 30
      | UInt64(truncatingIfNeeded: length & Self.maximumLength)
    bits = (flag ? 1 << 63 : 0) | kind.rawValue << 60 | index
  }

  /// The extent of a container.
  init(next: Int, count: Int) {
    bits =
      UInt64(UInt32(truncatingIfNeeded: next)) << 32 | UInt64(UInt32(truncatingIfNeeded: count))
  }

  var kind: Kind { Kind(rawValue: bits >> 60 & 7) ?? .null }

  /// What the word of a value stands for.
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

  /// Where the text starts; for a string, behind its quote.
  var offset: Int { Int(truncatingIfNeeded: bits >> 30) & Self.maximumLength }

  /// The bytes of the text; for a string, without its quotes.
  var length: Int { Int(truncatingIfNeeded: bits) & Self.maximumLength }

  /// A string: has escapes. A number: has only a sign and digits. An object: has duplicate keys.
  var flag: Bool { bits >> 63 == 1 }

  /// Offset and length as they stand between the quotes or brackets.
  var textRange: Range<Int> { offset..<offset + length }

  /// Of an extent: the index behind the container.
  var next: Int { Int(bits >> 32) }

  /// Of an extent: elements or members.
  var count: Int { Int(UInt32(truncatingIfNeeded: bits)) }

  mutating func setFlag() { bits |= 1 << 63 }
}
