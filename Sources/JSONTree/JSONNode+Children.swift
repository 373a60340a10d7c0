extension JSONNode {
  /// The elements of an array, in order; empty for other values.
  public var elements: JSONElements { JSONElements(node: self) }

  /// The members of an object, in order and with duplicates; empty for other values.
  public var members: JSONMembers { JSONMembers(node: self) }

  /// The members of an object like ``members``, with keys that become a `String` only on access.
  package var rawMembers: JSONRawMembers { JSONRawMembers(node: self) }

  /// Accesses the element of an array at a position; nil if the value is not an array or the position is out of bounds.
  ///
  /// - Complexity: O(`position`).
  public subscript(position: Int) -> JSONNode? {
    guard word.kind == .array, position >= 0, position < count else { return nil }
    var child = Int(index) + 2
    for _ in 0..<position { child = document.tape.index(after: child) }
    return JSONNode(document: document, index: child)
  }

  /// Accesses the member of an object with a key; nil if the value is not an object or has no such key. If the key
  /// occurs more than once, the last value is used, as in ECMAScript.
  ///
  /// Keys are compared by their Unicode scalars.
  ///
  /// - Complexity: O(*n*), where *n* is the number of members.
  public subscript(key: String) -> JSONNode? {
    withUTF8(key) { member(named: $0) }
  }

  private func member(named key: UnsafeBufferPointer<UInt8>) -> JSONNode? {
    let object = word
    guard object.kind == .object else { return nil }
    let tape = document.tape
    let end = tape.index(after: Int(index))
    var found: Int?
    var child = Int(index) + 2
    while child < end {
      if document.string(of: tape.words[child], equals: key) {
        found = child + 1
        // Only an object that is marked as having duplicates can have another one.
        if !object.flag { break }
      }
      child = tape.index(after: child + 1)
    }
    return found.map { JSONNode(document: document, index: $0) }
  }
}

/// The elements of an array, in order. Each step takes constant time, regardless of the size of the element.
public struct JSONElements: Sequence, Sendable {
  let node: JSONNode

  public struct Iterator: IteratorProtocol {
    fileprivate var children: Children

    public mutating func next() -> JSONNode? { children.next() }
  }

  public func makeIterator() -> Iterator { Iterator(children: Children(of: node, .array)) }
  public var underestimatedCount: Int { node.word.kind == .array ? node.count : 0 }
}

/// The members of an object, in order and with duplicates.
public struct JSONMembers: Sequence, Sendable {
  let node: JSONNode

  public struct Iterator: IteratorProtocol {
    fileprivate var members: JSONRawMembers.Iterator

    public mutating func next() -> (key: String, value: JSONNode)? {
      members.next().map { ($0.key.string, $0.value) }
    }
  }

  public func makeIterator() -> Iterator { Iterator(members: JSONRawMembers(node: node).makeIterator()) }
  public var underestimatedCount: Int { node.word.kind == .object ? node.count : 0 }
}

/// The members of an object, in order and with duplicates. The keys refer to the bytes of the document.
package struct JSONRawMembers: Sequence, Sendable {
  let node: JSONNode

  package struct Iterator: IteratorProtocol {
    fileprivate var children: Children

    package mutating func next() -> (key: JSONKey, value: JSONNode)? {
      guard let key = children.nextKey(), let value = children.next() else { return nil }
      return (key, value)
    }
  }

  package func makeIterator() -> Iterator { Iterator(children: Children(of: node, .object)) }
  package var underestimatedCount: Int { node.word.kind == .object ? node.count : 0 }
}

/// A walk over the words of one container.
private struct Children {
  private let document: JSONDocument
  private var index: Int
  private let end: Int

  /// Creates a walk over a container; it is empty if the node is of another kind.
  init(of node: JSONNode, _ kind: TapeWord.Kind) {
    document = node.document
    index = Int(node.index) + 2
    end = node.word.kind == kind ? document.tape.words[index - 1].next : index
  }

  mutating func next() -> JSONNode? {
    guard index < end else { return nil }
    let child = index
    index = document.tape.index(after: child)
    return JSONNode(document: document, index: child)
  }

  mutating func nextKey() -> JSONKey? {
    guard index < end else { return nil }
    let key = index
    index += 1
    return JSONKey(document: document, word: document.tape.words[key])
  }
}
