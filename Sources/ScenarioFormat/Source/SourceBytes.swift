/// The bytes of a file that was read.
package struct SourceBytes: Sendable {
  /// The path as the user would type it.
  package let path: String
  package let bytes: [UInt8]

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}
