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
        JSONDuplicateKey(key: string(of: word), object: pointer(of: path), location: location))
      guard let following = wanted.next() else { break }
      next = Int(following)
    }
    return result
  }

  /// Where the innermost open container of a walk is.
  private func pointer(of path: TapePath) -> JSONPointer {
    JSONPointer(
      tokens: path.containers.dropLast().map { container in
        container.key.map { string(of: tape.words[$0]) } ?? String(container.position)
      })
  }
}

/// A walk over every word of a tape in order, with the containers around the current one.
private struct TapePath {
  struct Container {
    var isObject: Bool
    var end: Int
    /// In an object: the key read last.
    var key: Int?
    /// In an array: the element read last.
    var position = -1
    /// In an object: whether a key comes next.
    var expectsKey: Bool
  }

  private let tape: Tape
  private(set) var containers: [Container] = []
  private var next = 0

  /// The word read last.
  private(set) var index = 0

  init(_ tape: Tape) { self.tape = tape }

  /// Goes to the next word. False at the end.
  mutating func advance() -> Bool {
    guard next < tape.words.count else { return false }
    index = next
    while let last = containers.last, last.end == index { containers.removeLast() }
    if !containers.isEmpty, step() {
      next = index + 1
      return true
    }
    let word = tape.words[index]
    next = index + (word.isContainer ? 2 : 1)
    if word.isContainer {
      let isObject = word.kind == .object
      containers.append(Container(isObject: isObject, end: tape.index(after: index), expectsKey: isObject))
    }
    return true
  }

  /// Counts the word in its container. True if it is a key.
  private mutating func step() -> Bool {
    let last = containers.count - 1
    guard containers[last].isObject else {
      containers[last].position += 1
      return false
    }
    defer { containers[last].expectsKey.toggle() }
    if containers[last].expectsKey { containers[last].key = index }
    return containers[last].expectsKey
  }
}
