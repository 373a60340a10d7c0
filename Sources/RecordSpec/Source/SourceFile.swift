/// The text of a file an author wrote, kept for messages that show the line.
public final class SourceFile: Sendable {
  /// The path as the user would type it.
  public let path: String
  package let bytes: [UInt8]

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}

/// A place in a file.
public struct SourceMark: Hashable, Sendable {
  /// Bytes before it.
  public var offset: Int
  /// From 1.
  public var line: Int
  /// From 1, in Unicode scalars.
  public var column: Int
}

/// A stretch of a file: what a message underlines.
public struct SourceSpan: Sendable {
  public var file: SourceFile
  public var start: SourceMark
  /// Behind the last character.
  public var end: SourceMark
}

/// A value an author wrote, with its place.
public struct Located<Value: Sendable>: Sendable {
  public var value: Value
  public var span: SourceSpan
}
