/// One value of a parsed document. It is a reference into the document's tape: cheap to copy, read when asked.
public struct JSONNode: Sendable {
  public let document: JSONDocument
  package let index: Int32

  package init(document: JSONDocument, index: Int32) {
    self.document = document
    self.index = index
  }

  public var kind: JSONKind { .null }
  public var isNull: Bool { kind == .null }
  public var boolean: Bool? { nil }
  public var number: JSONNumber? { nil }
  public var string: String? { nil }

  /// Elements of an array or members of an object; 0 for anything else.
  public var count: Int { 0 }

  /// The element of an array; nil if this is no array or has no such element. Linear in `position`.
  public subscript(position: Int) -> JSONNode? { nil }

  /// The member of an object; nil if this is no object or has no such key. Linear in the members.
  /// Where a key stands twice, the last one decides, as in ECMAScript.
  public subscript(key: String) -> JSONNode? { nil }

  /// The elements of an array in order; empty for anything else.
  public var elements: JSONElements { JSONElements(node: self) }

  /// The members of an object in order, duplicates included; empty for anything else.
  public var members: JSONMembers { JSONMembers(node: self) }

  /// The bytes of the value in the document.
  public var byteRange: Range<Int> { 0..<0 }
  public var location: JSONLocation { document.location(ofByte: byteRange.lowerBound) }

  /// Where the value stands in its document. Found by walking there from the root: for messages, not for hot paths.
  public var pointer: JSONPointer { JSONPointer() }

  /// The value as a tree of its own.
  public var value: JSONValue { .null }

  /// The value that the pointer names, from here.
  public func value(at pointer: JSONPointer) -> JSONNode? { nil }
}

public struct JSONElements: Sequence, Sendable {
  let node: JSONNode

  public struct Iterator: IteratorProtocol {
    public mutating func next() -> JSONNode? { nil }
  }
  public func makeIterator() -> Iterator { Iterator() }
}

public struct JSONMembers: Sequence, Sendable {
  let node: JSONNode

  public struct Iterator: IteratorProtocol {
    public mutating func next() -> (key: String, value: JSONNode)? { nil }
  }
  public func makeIterator() -> Iterator { Iterator() }
}
