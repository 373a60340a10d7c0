import JSONTree

/// A document of a text; what is wrong with it is thrown.
func parse(_ text: String, maximumDepth: Int = 512) throws(JSONSyntaxError) -> JSONDocument {
  try JSONDocument(parsing: Array(text.utf8), maximumDepth: maximumDepth)
}

/// What is wrong with bytes, `1:5 the message`; nil if nothing is.
func refusal(of bytes: [UInt8], maximumDepth: Int = 512) -> String? {
  do {
    _ = try JSONDocument(parsing: bytes, maximumDepth: maximumDepth)
    return nil
  } catch {
    return "\(error.location.line):\(error.location.column) \(error.message)"
  }
}
