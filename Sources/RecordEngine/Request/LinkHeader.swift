/// The links of a `Link` header (RFC 8288): `<items?page=2>; rel="next", <items?page=9>; rel=last`.
struct LinkHeader {
  struct Link: Hashable {
    var target: String
    /// In lower case.
    var relations: [String]
  }

  /// Links about the answer itself, in their order. What is no link ends the list.
  private(set) var links: [Link] = []

  init(_ text: String) {
    var scanner = Scanner(rest: Array(text.unicodeScalars)[...])
    while let link = scanner.link() {
      if let link { links.append(link) }
    }
  }

  /// Where the first link of a relation leads.
  func target(_ relation: String) -> String? {
    links.first { $0.relations.contains(relation) && !$0.target.isEmpty }?.target
  }

  private struct Scanner {
    var rest: ArraySlice<Unicode.Scalar>

    /// The next link; nil inside for one about something else than the answer. Nil if there is none.
    mutating func link() -> Link?? {
      skip { $0 == " " || $0 == "\t" || $0 == "," }
      guard take("<"), let end = rest.firstIndex(of: ">") else { return nil }
      let target = text(rest[..<end])
      rest = rest[(end + 1)...]
      var relations: [String]?
      var isAboutAnother = false
      while true {
        skipSpaces()
        guard take(";") else { break }
        skipSpaces()
        let name = text(run { $0 != "=" && $0 != ";" && $0 != "," && $0 != " " && $0 != "\t" }).lowercased()
        skipSpaces()
        var value = ""
        if take("=") {
          skipSpaces()
          guard let found = parameterValue() else { return nil }
          value = found
        }
        if name == "anchor" { isAboutAnother = true }
        // Of several, the first one counts.
        if name == "rel", relations == nil {
          relations = value.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        }
      }
      return .some(isAboutAnother ? nil : Link(target: target, relations: relations ?? []))
    }

    /// A token or a quoted text; nil if a quote is not closed.
    private mutating func parameterValue() -> String? {
      guard take("\"") else { return text(run { $0 != ";" && $0 != "," }) }
      var value = String.UnicodeScalarView()
      while let next = rest.popFirst() {
        if next == "\"" { return String(value) }
        if next == "\\" {
          guard let escaped = rest.popFirst() else { return nil }
          value.append(escaped)
        } else {
          value.append(next)
        }
      }
      return nil
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
      guard rest.first == scalar else { return false }
      rest = rest.dropFirst()
      return true
    }

    private mutating func skip(_ isSkipped: (Unicode.Scalar) -> Bool) { rest = rest.drop(while: isSkipped) }
    private mutating func skipSpaces() { skip { $0 == " " || $0 == "\t" } }

    private mutating func run(_ isTaken: (Unicode.Scalar) -> Bool) -> ArraySlice<Unicode.Scalar> {
      let run = rest.prefix(while: isTaken)
      rest = rest[run.endIndex...]
      return run
    }

    private func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars)
      return String(view)
    }
  }
}
