/// A text that is compared, hashed and sorted by its Unicode scalars. A composed `é` differs from an `e` with a
/// combining accent.
///
/// Swift's `String` compares by canonical equivalence, which makes some different names of a response equal. Use this
/// type as the key of dictionaries and sets for texts from outside the program.
package struct ScalarString: Sendable {
  package let string: String

  package init(_ string: String) { self.string = string }
}

extension ScalarString: Hashable {
  package static func == (left: ScalarString, right: ScalarString) -> Bool {
    haveSameScalars(left.string, right.string)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(scalarsOf: string) }
}

extension ScalarString: Comparable {
  package static func < (left: ScalarString, right: ScalarString) -> Bool {
    scalarsPrecede(left.string, right.string)
  }
}

extension ScalarString: ExpressibleByStringLiteral, CustomStringConvertible {
  package init(stringLiteral value: String) { string = value }
  package var description: String { string }
}

/// Returns a Boolean value that indicates whether two texts have the same Unicode scalars.
///
/// - Complexity: O(*n*), where *n* is the number of bytes.
package func haveSameScalars(_ left: String, _ right: String) -> Bool {
  guard left.utf8.count == right.utf8.count else { return false }
  return withUTF8(left) { left in
    withUTF8(right) { right in bytesAreEqual(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right)) }
  }
}

/// Returns a Boolean value that indicates whether two dictionaries have the same keys and values by Unicode scalars.
package func haveSameScalars(_ left: [String: String], _ right: [String: String]) -> Bool {
  left.count == right.count
    && left.allSatisfy { name, value in
      right.index(forKey: name).map { right[$0] }
        .map { haveSameScalars($0.key, name) && haveSameScalars($0.value, value) } ?? false
    }
}

/// Returns a Boolean value that indicates whether `left` sorts before `right` by Unicode scalars.
// UTF-8 bytes sort in the order of their scalars.
package func scalarsPrecede(_ left: String, _ right: String) -> Bool {
  withUTF8(left) { left in
    withUTF8(right) { right in bytesPrecede(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right)) }
  }
}

extension Hasher {
  /// Adds the Unicode scalars of a text in a prefix-free encoding.
  package mutating func combine(scalarsOf text: String) {
    withUTF8(text) { combine(bytes: UnsafeRawBufferPointer($0)) }
    combine(0xFF as UInt8)
  }
}
