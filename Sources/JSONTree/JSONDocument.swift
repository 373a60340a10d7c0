/// A parsed JSON document: the original bytes and a compact tape of their values. Values are read lazily.
public final class JSONDocument: Sendable {
  /// The original bytes, from which strings are read on access.
  package let bytes: [UInt8]

  let tape: Tape

  /// The context of the values; nil if no path of the model reads them.
  let context: JSONContext?

  /// Parses a JSON text (RFC 8259, strict) in one pass.
  ///
  /// The text is UTF-8 of less than 1 GiB. A byte order mark before it is ignored. Duplicate keys are not an error; see
  /// ``duplicateKeys``. Numbers of any size keep all their digits.
  ///
  /// - Parameter maximumDepth: the maximum nesting depth of containers. Reading through nodes works at any depth.
  ///   ``JSONNode/value`` uses machine stack for each level; do not call it on a document that is nested thousands of
  ///   levels deep.
  /// - Throws: the first error, with its location.
  /// - Complexity: O(*n*), where *n* is the number of bytes. Sorts the keys of objects with more than 128 members to
  ///   find duplicates.
  public init(parsing bytes: [UInt8], maximumDepth: Int = 512) throws(JSONSyntaxError) {
    self.bytes = bytes
    context = nil
    tape = try bytes.withUnsafeBufferPointer { (bytes) throws(JSONSyntaxError) in
      try Parser.parse(bytes, maximumDepth: maximumDepth)
    }
  }

  /// Creates a document from a value. Its bytes are the compact text of the value; locations refer to this text.
  ///
  /// - Precondition: The compact text is shorter than 1 GiB.
  public init(_ value: JSONValue) {
    var writer = TapeWriter()
    writer.append(value)
    precondition(writer.bytes.count <= TapeWord.maximumLength, "a JSON document must be smaller than 1 GiB")
    bytes = writer.bytes
    tape = writer.tape
    context = nil
  }

  init(bytes: [UInt8], tape: Tape, context: JSONContext?) {
    (self.bytes, self.tape, self.context) = (bytes, tape, context)
  }

  /// The value of the whole document.
  public var root: JSONNode { JSONNode(document: self, index: 0) }

  /// The maximum nesting depth of the containers; 0 for a scalar.
  package var depth: Int { tape.depth }

  /// Returns the line and column of a byte offset.
  ///
  /// - Complexity: O(*n*), where *n* is the offset.
  public func location(ofByte offset: Int) -> JSONLocation {
    var counter = LocationCounter()
    return bytes.withUnsafeBufferPointer { counter.location(ofByte: max(0, offset), in: $0) }
  }
}
