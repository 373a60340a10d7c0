import RecordModel

/// The links of a `Link` header (RFC 8288): `<items?page=2>; rel="next", <items?page=9>; rel=last`.
package struct LinkHeader {
  struct WebLink: Hashable {
    var target: String
    /// The relation types, with ASCII letters in lower case.
    var relations: [String]
  }

  /// The links that describe the response itself, in their order. Invalid text ends the list.
  let links: [WebLink]

  package init(_ text: String) {
    var text = text
    links = text.withUTF8 { bytes in
      var reader = ByteReader(bytes)
      var links: [WebLink] = []
      while let link = Self.link(&reader) {
        if let link { links.append(link) }
      }
      return links
    }
  }

  /// Returns the target of the first link with a relation type.
  package func target(_ relation: String) -> String? {
    links.first { $0.relations.contains(relation) && !$0.target.isEmpty }?.target
  }

  /// Reads the next link, or returns nil at the end of the list. The inner optional is nil if the link does not describe the
  /// response itself.
  private static func link(_ reader: inout ByteReader) -> WebLink?? {
    repeat { reader.skipBlanks() } while reader.take(UInt8(ascii: ","))
    guard reader.take(UInt8(ascii: "<")) else { return nil }
    let target = reader.takeText { $0 != UInt8(ascii: ">") }
    guard reader.take(UInt8(ascii: ">")) else { return nil }
    var relations: [String]?
    var hasAnchor = false
    while true {
      reader.skipBlanks()
      guard reader.take(UInt8(ascii: ";")) else { break }
      reader.skipBlanks()
      let name = reader.takeText { !"=;, \t".utf8.contains($0) }.lowercased()
      reader.skipBlanks()
      var value = ""
      if reader.take(UInt8(ascii: "=")) {
        reader.skipBlanks()
        guard let found = parameterValue(&reader) else { return nil }
        value = found
      }
      if name == "anchor" { hasAnchor = true }
      // If a link has several relation parameters, the first one counts.
      if name == "rel", relations == nil {
        relations = value.utf8.split { " \t".utf8.contains($0) }
          .map { String(decoding: $0.map(\.asciiLowercased), as: UTF8.self) }
      }
    }
    return .some(hasAnchor ? nil : WebLink(target: target, relations: relations ?? []))
  }

  /// Reads a token or a quoted string, or returns nil if a quote has no end.
  private static func parameterValue(_ reader: inout ByteReader) -> String? {
    guard reader.take(UInt8(ascii: "\"")) else { return reader.takeText { !";,".utf8.contains($0) } }
    var value: [UInt8] = []
    while let next = reader.takeByte() {
      if next == UInt8(ascii: "\"") { return String(decoding: value, as: UTF8.self) }
      if next == UInt8(ascii: "\\") {
        guard let escaped = reader.takeByte() else { return nil }
        value.append(escaped)
      } else {
        value.append(next)
      }
    }
    return nil
  }
}
