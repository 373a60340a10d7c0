#if os(Linux)
  import RecordEngine

  /// The status line and the headers of a response, which are parsed line by line.
  struct HTTPHead {
    private(set) var version = ""
    /// The status, or 0 before the status line has been parsed.
    private(set) var status = 0
    /// The headers in the order of the response, with their names as they were sent.
    private(set) var fields: [(name: String, value: String)] = []
    /// A Boolean value that indicates whether the empty line that ends the head has been read.
    private(set) var isComplete = false

    /// Adds a line with its line ending. A new status line begins another head, that of the response after an interim
    /// response. Other lines after a complete head are trailers, which are ignored.
    mutating func add(line bytes: some BidirectionalCollection<UInt8>) {
      // If the connection ends, the last line may have no line ending.
      guard bytes.last == UInt8(ascii: "\n") else { return }
      let line = Self.text(bytes)
      if line.hasPrefix("HTTP/") { return begin(line) }
      guard !isComplete, status > 0 else { return }
      if line.isEmpty {
        isComplete = true
      } else if line.first == " " || line.first == "\t" {
        // A folded line (RFC 9112, section 5.2).
        guard let last = fields.indices.last else { return }
        fields[last].value += " " + Self.trimmed(line[...])
      } else if let colon = line.firstIndex(of: ":"), colon > line.startIndex {
        let value = Self.trimmed(line[line.index(after: colon)...])
        fields.append((Self.trimmed(line[..<colon]), value))
      }
    }

    /// The headers as a dictionary. The values of headers with the same name are joined. The case of names is ignored.
    var headers: [String: String] {
      var headers: [String: String] = [:]
      // The first spelling of each name, by the lowercase name.
      var names: [[UInt8]: String] = [:]
      for field in fields {
        let key = field.name.utf8.map(\.asciiLowercased)
        if let name = names[key] {
          headers[name]?.append(", " + field.value)
        } else {
          names[key] = field.name
          headers[field.name] = field.value
        }
      }
      return headers
    }

    /// The values of `Set-Cookie`, each of which is a separate header. Values with control characters or non-ASCII
    /// characters are left out: RFC 6265 does not allow them, and FoundationNetworking ends the process for some of
    /// them.
    var cookieLines: [String] {
      fields.filter { areOneHeader($0.name, "Set-Cookie") && $0.value.utf8.allSatisfy(Self.isOfCookie) }
        .map(\.value)
    }

    private static func isOfCookie(_ byte: UInt8) -> Bool {
      0x20..<0x7F ~= byte || byte == UInt8(ascii: "\t")
    }

    private mutating func begin(_ line: String) {
      let parts = line.split(separator: " ", maxSplits: 2)
      self = HTTPHead()
      guard parts.count > 1, parts[1].utf8.count == 3, let status = UInt16(parts[1]) else { return }
      version = String(parts[0])
      self.status = Int(status)
    }

    /// Returns a line without its line ending, decoded as UTF-8, or as Latin-1 if it is not valid UTF-8.
    private static func text(_ bytes: some Collection<UInt8>) -> String {
      let content = bytes.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
      return String(validating: content, as: UTF8.self)
        ?? String(String.UnicodeScalarView(content.map { Unicode.Scalar($0) }))
    }

    private static func trimmed(_ text: Substring) -> String {
      let start = text.drop { $0 == " " || $0 == "\t" }
      guard let end = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
      return String(start[...end])
    }
  }
#endif
