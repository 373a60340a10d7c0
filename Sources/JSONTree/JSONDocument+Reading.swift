// Access to values by the index of their word on the tape. A ``JSONNode`` retains its document; code that reads many
// values of one document uses indices to avoid the reference counting.
extension JSONDocument {
  package func node(at index: Int32) -> JSONNode { JSONNode(document: self, index: index) }

  package func kind(at index: Int32) -> JSONKind { tape.words[Int(index)].valueKind }

  /// The range of the bytes of a number, or of the text of a string without escapes; nil for other values.
  package func plainText(at index: Int32) -> Range<Int>? {
    let word = tape.words[Int(index)]
    return word.kind == .number || word.kind == .string && !word.flag ? word.textRange : nil
  }

  /// The string at an index, without escapes; nil for other values.
  package func string(at index: Int32) -> String? {
    let word = tape.words[Int(index)]
    return word.kind == .string ? string(of: word) : nil
  }

  /// Returns a Boolean value that indicates whether the value is a string equal to `text`. Creates no string.
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

  /// The index after the value at an index, including its children.
  package func index(after index: Int32) -> Int32 {
    Int32(truncatingIfNeeded: tape.index(after: Int(index)))
  }

  /// Returns the index of the next value that is not an array, from `index` up to `end`, and moves `index` past that
  /// value. Enters nested arrays, so that all elements are visited in order.
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

  /// The extent of the bytes of a value.
  package func extent(at index: Int32) -> JSONExtent { JSONExtent(word: tape.words[Int(index)]) }

  /// Returns a Boolean value that indicates whether two values have the same bytes.
  package func haveSameBytes(_ left: JSONExtent, _ right: JSONExtent) -> Bool {
    let (left, right) = (left.word, right.word)
    guard left.bits >> 60 == right.bits >> 60, left.length == right.length else { return false }
    return bytes.withUnsafeBytes { bytes in
      bytesAreEqual(
        UnsafeRawBufferPointer(rebasing: bytes[left.textRange]),
        UnsafeRawBufferPointer(rebasing: bytes[right.textRange]))
    }
  }

  /// Returns a hash of the bytes of a scalar, for one run of the program. With an unpredictable `seed`, no input can
  /// cause collisions on purpose.
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
      var tail: UInt64 = 0
      for byte in text[position...] { tail = tail << 8 | UInt64(byte) }
      return fold(hash ^ tail, 0xD1B5_4A32_D192_ED03 ^ seed)
    }
  }
}

/// The range of a value's bytes in a document, and the kind of the value. Code that compares a value with many others
/// reads the tape only once.
package struct JSONExtent: Sendable {
  fileprivate let word: TapeWord
}

/// Combines both halves of the product, so that every bit of either factor counts.
@inline(__always)
private func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
  let product = left.multipliedFullWidth(by: right)
  return product.high ^ product.low
}

/// Compares eight bytes at a time, then the remaining bytes one by one.
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

/// Returns a Boolean value that indicates whether `left` sorts before `right` byte by byte.
func bytesPrecede(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
  let count = min(left.count, right.count)
  var position = 0
  while count - position >= 8 {
    let word = UInt64(bigEndian: left.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    let other = UInt64(bigEndian: right.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    if word != other { return word < other }
    position += 8
  }
  while position < count {
    if left[position] != right[position] { return left[position] < right[position] }
    position += 1
  }
  return left.count < right.count
}
