/// A key that repeats an earlier key of its object.
public struct JSONDuplicateKey: Hashable, Sendable {
  /// The repeated key, without escapes.
  public let key: String
  /// The path of the object.
  public let object: JSONPointer
  /// The location of the repetition.
  public let location: JSONLocation
}

extension JSONDocument {
  /// The keys that repeat an earlier key of their object, in the order of the document. A key that occurs three times
  /// is listed twice.
  ///
  /// - Complexity: O(1) if there are no duplicates, otherwise one pass over the document.
  public var duplicateKeys: [JSONDuplicateKey] {
    var result: [JSONDuplicateKey] = []
    var wanted = tape.duplicateKeys.makeIterator()
    guard var next = wanted.next().map(Int.init) else { return [] }
    var counter = LocationCounter()
    var path = TapePath(tape)
    while path.advance() {
      guard path.index == next else { continue }
      let word = tape.words[next]
      let location = bytes.withUnsafeBufferPointer {
        counter.location(ofByte: word.offset - 1, in: $0)
      }
      result.append(
        JSONDuplicateKey(
          key: string(of: word), object: JSONPointer(tokens: tokens(of: path.containers.dropLast())),
          location: location))
      guard let following = wanted.next() else { break }
      next = Int(following)
    }
    return result
  }
}
