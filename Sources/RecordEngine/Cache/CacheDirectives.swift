import RecordModel

/// The directives of a `Cache-Control` header (RFC 9111, section 5.2) or a `Pragma` header, in the order of the text.
struct CacheDirectives: Hashable, Sendable {
  enum Argument: Hashable, Sendable {
    case none
    /// A token, or the contents of a quoted string.
    case text(String)
    /// An invalid argument, as in `max-age = 5` or `no-cache="a" b`.
    case malformed
  }

  struct Directive: Hashable, Sendable {
    /// The name in lower case.
    var name: String
    var argument: Argument
  }

  let directives: [Directive]

  /// The largest number of seconds, which stands for "forever". Larger numbers are reduced to it (RFC 9111, section
  /// 1.2.2).
  static let maximumSeconds = 1 << 31

  /// Creates the directives of a text. Any text is accepted: invalid parts are skipped, and the directives after them
  /// are read.
  init(_ text: String) {
    var text = text
    directives = text.withUTF8 { bytes in
      var scanner = Scanner(reader: ByteReader(bytes))
      var directives: [Directive] = []
      while !scanner.reader.isAtEnd {
        if let directive = scanner.directive() { directives.append(directive) }
      }
      return directives
    }
  }

  /// Returns a Boolean value that indicates whether a directive is present, with or without an argument.
  func contains(_ name: String) -> Bool { directives.contains { $0.name == name } }

  /// Returns the number of seconds that a directive specifies, or nil if the directive is missing.
  ///
  /// - Parameter strictest: the result if the argument is not a number of seconds, or if several directives differ. RFC
  ///   9111, section 4.2.1, recommends that caches treat invalid freshness information as stale, and that they use the
  ///   most restrictive of conflicting directives.
  func seconds(_ name: String, orIfInvalid strictest: Int?) -> Int? {
    let found = directives.filter { $0.name == name }.map { Self.seconds($0.argument) }
    guard let first = found.first else { return nil }
    guard let seconds = first, found.allSatisfy({ $0 == seconds }) else { return strictest }
    return seconds
  }

  /// Returns the number of seconds that a text of decimal digits represents, at most ``maximumSeconds``. Returns nil
  /// for any other text.
  static func seconds(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return text.utf8.reduce(0) { min($0 * 10 + Int($1 - 0x30), maximumSeconds) }
  }

  private static func seconds(_ argument: Argument) -> Int? {
    if case .text(let text) = argument { seconds(text) } else { nil }
  }

  private struct Scanner {
    var reader: ByteReader
    /// A Boolean value that indicates whether a quote without an end was found. No quote after it has an end either,
    /// and searching from each of them would take quadratic time.
    private var hasOpenQuote = false

    init(reader: ByteReader) { self.reader = reader }

    /// Reads the next directive and the comma after it. Returns nil if there is no directive before the comma.
    mutating func directive() -> Directive? {
      reader.skipBlanks()
      let name = reader.takeText(while: \.isTokenByte)
      var argument = Argument.none
      if reader.take(UInt8(ascii: "=")) {
        if let quoted = quotedText() {
          argument = .text(quoted)
        } else {
          let text = reader.takeText(while: \.isTokenByte)
          argument = text.isEmpty ? .malformed : .text(text)
        }
      }
      reader.skipBlanks()
      if !reader.isAtEnd, reader.next != UInt8(ascii: ",") { argument = .malformed }
      skipToComma()
      return name.isEmpty ? nil : Directive(name: name.lowercased(), argument: argument)
    }

    /// Skips the text up to and including the next comma outside of quoted text. A quote without an end is skipped like
    /// any other character, so that it does not hide the directives after it.
    private mutating func skipToComma() {
      while let next = reader.next {
        if quotedText() != nil { continue }
        reader.skip()
        if next == UInt8(ascii: ",") { return }
      }
    }

    /// Reads the quoted text at this position. Returns nil and reads nothing if there is no quote at this position, or
    /// if the quote has no end.
    private mutating func quotedText() -> String? {
      var ahead = reader
      guard !hasOpenQuote, ahead.take(UInt8(ascii: "\"")) else { return nil }
      var text: [UInt8] = []
      while let next = ahead.takeByte() {
        if next == UInt8(ascii: "\"") {
          reader = ahead
          return String(decoding: text, as: UTF8.self)
        }
        guard next == UInt8(ascii: "\\") else {
          text.append(next)
          continue
        }
        guard let escaped = ahead.takeByte() else { break }
        text.append(escaped)
      }
      hasOpenQuote = true
      return nil
    }
  }
}
