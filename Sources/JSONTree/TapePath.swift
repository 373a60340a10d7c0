/// A walk over every word of a tape in order, with the containers around the current one.
struct TapePath {
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

extension JSONDocument {
  /// The keys and positions that lead through containers.
  func tokens(of containers: some Sequence<TapePath.Container>) -> [String] {
    containers.map { container in
      container.key.map { string(of: tape.words[$0]) } ?? String(container.position)
    }
  }

  /// Where many nodes of the document stand, found by one walk over it: what ``JSONNode/pointer`` says of each.
  package func pointers(of nodes: some Sequence<JSONNode>) -> [Int32: JSONPointer] {
    let wanted = Set(nodes.map(\.index))
    var found: [Int32: JSONPointer] = [:]
    var path = TapePath(tape)
    while found.count < wanted.count, path.advance() {
      let index = Int32(truncatingIfNeeded: path.index)
      guard wanted.contains(index) else { continue }
      // A container that has just been opened is the node itself.
      let around = tape.words[path.index].isContainer ? path.containers.dropLast() : path.containers[...]
      found[index] = JSONPointer(tokens: tokens(of: around))
    }
    return found
  }
}
