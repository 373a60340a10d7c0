import JSONTree

/// Parses a text.
func parse(_ text: String, maximumDepth: Int = 512) throws(JSONSyntaxError) -> JSONDocument {
  try JSONDocument(parsing: Array(text.utf8), maximumDepth: maximumDepth)
}

/// Returns the error for bytes, for example `1:5 the message`; nil if the bytes are valid.
func refusal(of bytes: [UInt8], maximumDepth: Int = 512) -> String? {
  do {
    _ = try JSONDocument(parsing: bytes, maximumDepth: maximumDepth)
    return nil
  } catch {
    return "\(error.location.line):\(error.location.column) \(error.message)"
  }
}
