/// A parsed JSON document: the bytes as they came and a compact tape over them, read lazily.
public final class JSONDocument: Sendable {
  /// The bytes as they came; strings are read from them when asked for.
  package let bytes: [UInt8]

  /// Parses one JSON text (RFC 8259, strict). Linear in the bytes, one pass.
  public init(parsing bytes: [UInt8], maximumDepth: Int = 512) throws(JSONSyntaxError) { self.bytes = bytes }

  /// A document of a value that was built in Swift. Its positions mean nothing to a reader.
  public init(_ value: JSONValue) { bytes = [] }

  public var root: JSONNode { JSONNode(document: self, index: 0) }

  /// The places of keys that repeat an earlier key of their object, in the order of the document.
  public var duplicateKeys: [JSONDuplicateKey] { [] }

  /// The line and column, both from 1, of a byte offset. Linear in the offset.
  public func location(ofByte offset: Int) -> JSONLocation { JSONLocation(offset: 0, line: 1, column: 1) }
}

/// A key that stands twice in one object.
public struct JSONDuplicateKey: Hashable, Sendable {
  public let key: String
  /// Where the object is.
  public let object: JSONPointer
  public let location: JSONLocation
}

/// A place in the text of a document.
public struct JSONLocation: Hashable, Sendable {
  /// Bytes before it.
  public let offset: Int
  /// From 1.
  public let line: Int
  /// From 1, in Unicode scalars.
  public let column: Int
}

/// Why bytes are no JSON, and where.
public struct JSONSyntaxError: Error, Hashable, Sendable {
  public let location: JSONLocation
  /// One line, without place: `expected ',' or ']', found '}'`.
  public let message: String
}
