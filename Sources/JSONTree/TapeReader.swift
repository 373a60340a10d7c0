/// Access to the words of a tape without retaining the document or copying, for code that reads every value of a large
/// document. In other cases, use ``JSONNode``.
///
/// A value is identified by the index of its word, like ``JSONNode/index``. The index of the root is 0. The children of
/// a container start two words after it; the value of a member is one word after its key. Indices are not checked.
package struct TapeReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let words: UnsafeBufferPointer<TapeWord>

  fileprivate init(_ bytes: UnsafeBufferPointer<UInt8>, _ words: UnsafeBufferPointer<TapeWord>) {
    self.bytes = bytes
    self.words = words
  }

  package func kind(at index: Int) -> JSONKind { words[index].valueKind }

  /// The index after a value, including its children.
  package func index(after index: Int) -> Int {
    let word = words[index]
    return word.isContainer ? words[index + 1].next : index + 1
  }

  /// The bytes of a scalar or key, with escapes and without quotes.
  package func text(at index: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[words[index].textRange])
  }

  /// The unescaped bytes of a string or key that has escapes; nil for other values.
  package func unescapedText(at index: Int) -> [UInt8]? {
    let word = words[index]
    return word.kind == .string && word.flag ? EscapedText.unescaped(bytes[word.textRange]) : nil
  }
}

extension JSONDocument {
  /// Calls `body` with a reader of the tape. The reader and its texts are valid only until `body` returns.
  package func withTape<Result, Failure: Error>(
    _ body: (TapeReader) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in
      try tape.words.withUnsafeBufferPointer { (words) throws(Failure) in
        try body(TapeReader(bytes, words))
      }
    }
  }
}
