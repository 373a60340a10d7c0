/// The words of a tape without their document: nothing is counted, and nothing is copied. For those who read every value
/// of a large document; ``JSONNode`` is for everybody else.
///
/// A place is the index of a word, as ``JSONNode/index`` is; the root's is 0. Places are not checked against what stands
/// there: the children of a container start two words behind it, and a member's value stands one behind its key.
package struct TapeReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let words: UnsafeBufferPointer<TapeWord>

  fileprivate init(_ bytes: UnsafeBufferPointer<UInt8>, _ words: UnsafeBufferPointer<TapeWord>) {
    self.bytes = bytes
    self.words = words
  }

  package func kind(at index: Int) -> JSONKind { words[index].valueKind }

  /// The place behind a value, whatever is in it.
  package func index(after index: Int) -> Int {
    let word = words[index]
    return word.isContainer ? words[index + 1].next : index + 1
  }

  /// The bytes of a scalar or key as they stand, without quotes.
  package func text(at index: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[words[index].textRange])
  }

  /// What a string or key with escapes stands for; nil if its text stands for itself.
  package func unescapedText(at index: Int) -> [UInt8]? {
    let word = words[index]
    return word.kind == .string && word.flag ? EscapedText.unescaped(bytes[word.textRange]) : nil
  }
}

extension JSONDocument {
  /// Reads the tape as it lies in memory. The reader and the texts that it gives are good until `body` returns.
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
