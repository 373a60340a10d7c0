/// Visits every word of a tape in order and keeps track of the containers around the current word.
struct TapePath {
  struct Container {
    var isObject: Bool
    var end: Int
    /// The index of the last key that was visited, in an object.
    var key: Int?
    /// The position of the last element that was visited, in an array.
    var position = -1
    /// A Boolean value that indicates whether a key comes next, in an object.
    var expectsKey: Bool
  }

  private let tape: Tape
  private(set) var containers: [Container] = []
  private var next = 0

  /// The index of the current word.
  private(set) var index = 0

  init(_ tape: Tape) { self.tape = tape }

  /// Moves to the next word. Returns false at the end.
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

  /// Counts the word in its container. Returns true if it is a key.
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
  /// Returns the keys and positions of the path through the containers.
  func tokens(of containers: some Sequence<TapePath.Container>) -> [String] {
    containers.map { container in
      container.key.map { string(of: tape.words[$0]) } ?? String(container.position)
    }
  }

  /// Returns the paths of many nodes, found in one pass over the document. Each path is equal to ``JSONNode/pointer``.
  package func pointers(of nodes: some Sequence<JSONNode>) -> [Int32: JSONPointer] {
    let wanted = Set(nodes.map(\.index))
    var found: [Int32: JSONPointer] = [:]
    var path = TapePath(tape)
    while found.count < wanted.count, path.advance() {
      let index = Int32(truncatingIfNeeded: path.index)
      guard wanted.contains(index) else { continue }
      // The innermost container is the node itself if it has just been opened.
      let around = tape.words[path.index].isContainer ? path.containers.dropLast() : path.containers[...]
      found[index] = JSONPointer(tokens: tokens(of: around))
    }
    return found
  }
}
