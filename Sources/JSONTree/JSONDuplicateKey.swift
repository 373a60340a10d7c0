/// A key that repeats an earlier key of its object.
public struct JSONDuplicateKey: Hashable, Sendable {
  public let key: String
  /// Where the object is.
  public let object: JSONPointer
  /// Where the repetition is.
  public let location: JSONLocation
}

extension JSONDocument {
  /// The places of keys that repeat an earlier key of their object, in the order of the document. A key that stands
  /// three times is listed twice.
  ///
  /// Empty at no cost if there are none; otherwise found by one walk over the document.
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
