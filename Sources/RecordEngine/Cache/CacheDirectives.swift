import RecordModel

/// The directives of a `Cache-Control` header (RFC 9111, section 5.2), or of a `Pragma`, in their order.
struct CacheDirectives: Hashable, Sendable {
  enum Argument: Hashable, Sendable {
    case none
    /// A token, or what was quoted.
    case text(String)
    /// What no directive may have: `max-age = 5`, `no-cache="a" b`.
    case malformed
  }

  struct Directive: Hashable, Sendable {
    /// In lower case.
    var name: String
    var argument: Argument
  }

  let directives: [Directive]

  /// What counts as for ever: a number of seconds that is larger is taken for this one (RFC 9111, section 1.2.2).
  static let maximumSeconds = 1 << 31

  /// Reads any text: what is no directive is left out, and the rest read all the same.
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

  /// Whether a directive is there, with an argument or without.
  func contains(_ name: String) -> Bool { directives.contains { $0.name == name } }

  /// The seconds that a directive says; nil if it is not there.
  ///
  /// - Parameter strictest: What counts where it says no number of seconds, or several: RFC 9111, section 4.2.1, has caches
  ///   take freshness that is said wrongly for none, and of conflicting directives the most restrictive.
  func seconds(_ name: String, orIfInvalid strictest: Int?) -> Int? {
    let found = directives.filter { $0.name == name }.map { Self.seconds($0.argument) }
    guard let first = found.first else { return nil }
    guard let seconds = first, found.allSatisfy({ $0 == seconds }) else { return strictest }
    return seconds
  }

  /// The whole number of seconds that a text is, at most ``maximumSeconds``; nil if it is none.
  static func seconds(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return text.utf8.reduce(0) { min($0 * 10 + Int($1 - 0x30), maximumSeconds) }
  }

  private static func seconds(_ argument: Argument) -> Int? {
    if case .text(let text) = argument { seconds(text) } else { nil }
  }

  private struct Scanner {
    var reader: ByteReader
    /// Whether a quote was found that is not closed. Then none behind it is: looking again would take time without end.
    private var hasOpenQuote = false

    init(reader: ByteReader) { self.reader = reader }

    /// The next directive, up to the comma behind it; nil if none stands there.
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

    /// A comma inside a quoted text is none. A quote that is not closed is no quote, so that it hides no directive.
    private mutating func skipToComma() {
      while let next = reader.next {
        if next == UInt8(ascii: "\""), quotedText() != nil { continue }
        reader.skip()
        if next == UInt8(ascii: ",") { return }
      }
    }

    /// What stands in quotes here; nil, and nothing is taken, if no quote opens here or it is not closed.
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
