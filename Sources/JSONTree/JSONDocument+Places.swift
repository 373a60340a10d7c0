// Places on the tape: the indices of words. A ``JSONNode`` is a place that keeps its document alive; who reads a great
// many values of one document counts no references.
extension JSONDocument {
  package func node(at index: Int32) -> JSONNode { JSONNode(document: self, index: index) }

  package func kind(at index: Int32) -> JSONKind { tape.words[Int(index)].valueKind }

  /// Where in the bytes a number stands, or the text of a string that has no escapes; nil for anything else.
  package func plainText(at index: Int32) -> Range<Int>? {
    let word = tape.words[Int(index)]
    return word.kind == .number || word.kind == .string && !word.flag ? word.textRange : nil
  }

  /// What a string stands for, escapes resolved; nil for anything else.
  package func string(at index: Int32) -> String? {
    let word = tape.words[Int(index)]
    return word.kind == .string ? string(of: word) : nil
  }

  /// Whether this is a string that stands for `text`. Makes no string.
  package func string(at index: Int32, equals text: String) -> Bool {
    let word = tape.words[Int(index)]
    guard word.kind == .string else { return false }
    if word.flag { return withUTF8(text) { string(of: word, equals: $0) } }
    guard word.length == text.utf8.count else { return false }
    return bytes.withUnsafeBytes { bytes in
      withUTF8(text) {
        bytesAreEqual(UnsafeRawBufferPointer($0), UnsafeRawBufferPointer(rebasing: bytes[word.textRange]))
      }
    }
  }

  package func isNull(at index: Int32) -> Bool { tape.words[Int(index)].kind == .null }

  package func isObject(at index: Int32) -> Bool { tape.words[Int(index)].kind == .object }

  package func isArray(at index: Int32) -> Bool { tape.words[Int(index)].kind == .array }

  /// The place behind the value at a place, whatever is in it.
  package func index(after index: Int32) -> Int32 {
    Int32(truncatingIfNeeded: tape.index(after: Int(index)))
  }

  /// The next value that is no array, from `place` to before `end`; `place` moves behind it. Arrays within arrays are
  /// gone into, so that all elements are met in order.
  package func nextElement(_ index: inout Int32, before end: Int32) -> Int32? {
    while index < end {
      let word = tape.words[Int(index)]
      if word.kind == .array {
        index += 2
      } else {
        let element = index
        index = self.index(after: index)
        return element
      }
    }
    return nil
  }

  /// Where the bytes of a value stand.
  package func extent(at index: Int32) -> JSONExtent { JSONExtent(word: tape.words[Int(index)]) }

  /// Whether two values have the same bytes.
  package func haveSameBytes(_ left: JSONExtent, _ right: JSONExtent) -> Bool {
    let (left, right) = (left.word, right.word)
    guard left.bits >> 60 == right.bits >> 60, left.length == right.length else { return false }
    return bytes.withUnsafeBytes { bytes in
      bytesAreEqual(
        UnsafeRawBufferPointer(rebasing: bytes[left.textRange]),
        UnsafeRawBufferPointer(rebasing: bytes[right.textRange]))
    }
  }

  /// A hash of the bytes of a scalar, for one run of the program: a `seed` that nobody can know keeps it from being
  /// made slow on purpose.
  package func textHash(at index: Int32, seed: UInt64) -> UInt64 {
    bytes.withUnsafeBytes { bytes in
      let text = UnsafeRawBufferPointer(rebasing: bytes[tape.words[Int(index)].textRange])
      var hash = seed ^ UInt64(truncatingIfNeeded: text.count)
      var position = 0
      while text.count - position >= 8 {
        hash = fold(
          hash ^ text.loadUnaligned(fromByteOffset: position, as: UInt64.self), 0x9E37_79B9_7F4A_7C15)
        position += 8
      }
      var rest: UInt64 = 0
      for byte in text[position...] { rest = rest << 8 | UInt64(byte) }
      return fold(hash ^ rest, 0xD1B5_4A32_D192_ED03 ^ seed)
    }
  }
}

/// Where in a document the bytes of a value stand, and what kind of value they are: for who compares it with a great many
/// others, and would have to look at the tape for each of them.
package struct JSONExtent: Sendable {
  fileprivate let word: TapeWord
}

/// Both halves of a product, so that every bit of either factor counts.
@inline(__always)
private func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
  let product = left.multipliedFullWidth(by: right)
  return product.high ^ product.low
}

/// Eight bytes at a time, as one integer, while eight are left.
@inline(__always)
func bytesAreEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
  guard left.count == right.count else { return false }
  var position = 0
  while left.count - position >= 8 {
    guard
      left.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        == right.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    else { return false }
    position += 8
  }
  while position < left.count {
    guard left[position] == right[position] else { return false }
    position += 1
  }
  return true
}
