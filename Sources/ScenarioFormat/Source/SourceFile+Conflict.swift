extension SourceFile {
  /// The line of the first conflict marker of a merge; nil if the file has none. Linear in the size of the file.
  package var conflict: SourceSpan? {
    let marker = Array("<<<<<<< ".utf8)
    var start = bytes.startIndex
    while !bytes[start...].starts(with: marker) {
      guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      start = end + 1
    }
    let line = bytes[start...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return span(line.startIndex..<line.endIndex)
  }
}
