/// A parsed JSON document: the bytes as they came and a compact tape over them, read lazily.
///
/// ```swift
/// let document = try JSONDocument(parsing: Array(#"{"data": [{"id": "7"}]}"#.utf8))
/// document.root["data"]?[0]?["id"]?.string  // "7"
/// ```
public final class JSONDocument: Sendable {
  /// The bytes as they came; strings are read from them when asked for.
  package let bytes: [UInt8]

  let tape: Tape

  /// Parses one JSON text (RFC 8259, strict). Linear in the bytes, one pass; keys of objects of more than 128
  /// members are sorted as well, to find duplicates.
  ///
  /// The text is UTF-8 without a byte order mark, of at most 1 GiB. Duplicate keys are no error; see
  /// ``duplicateKeys``. Numbers keep their digits, whatever their size.
  ///
  /// - Parameter maximumDepth: how many containers may stand within each other. Reading through nodes takes any
  ///   depth; ``JSONNode/value`` takes machine stack for each level, so ask for no such tree of a document that is
  ///   thousands of levels deep.
  /// - Throws: the first thing that is wrong, with its place.
  public init(parsing bytes: [UInt8], maximumDepth: Int = 512) throws(JSONSyntaxError) {
    self.bytes = bytes
    tape = try bytes.withUnsafeBufferPointer { (bytes) throws(JSONSyntaxError) in
      try Parser.parse(bytes, maximumDepth: maximumDepth)
    }
  }

  /// A document of a value that was built in Swift; its bytes are the value's compact text. Its positions mean
  /// nothing to a reader.
  ///
  /// - Precondition: the compact text is shorter than 1 GiB.
  public init(_ value: JSONValue) {
    var writer = TapeWriter()
    writer.append(value)
    precondition(writer.bytes.count <= TapeWord.maximumLength, "a JSON document is shorter than 1 GiB")
    bytes = writer.bytes
    tape = writer.tape
  }

  public var root: JSONNode { JSONNode(document: self, index: 0) }

  /// How many containers stand within each other at the deepest place; 0 for a scalar.
  package var depth: Int { tape.depth }

  /// The line and column, both from 1, of a byte offset. Linear in the offset.
  public func location(ofByte offset: Int) -> JSONLocation {
    var counter = LocationCounter()
    return bytes.withUnsafeBufferPointer { counter.location(ofByte: max(0, offset), in: $0) }
  }
}
