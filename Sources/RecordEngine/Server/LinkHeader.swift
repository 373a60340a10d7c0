import RecordModel

/// The links of a `Link` header (RFC 8288): `<items?page=2>; rel="next", <items?page=9>; rel=last`.
struct LinkHeader {
  struct WebLink: Hashable {
    var target: String
    /// With their ASCII letters in lower case.
    var relations: [String]
  }

  /// Links about the answer itself, in their order. What is no link ends the list.
  let links: [WebLink]

  init(_ text: String) {
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

  /// Where the first link of a relation leads.
  func target(_ relation: String) -> String? {
    links.first { $0.relations.contains(relation) && !$0.target.isEmpty }?.target
  }

  /// The next link; nil inside for one about something else than the answer. Nil if there is none.
  private static func link(_ reader: inout ByteReader) -> WebLink?? {
    repeat { reader.skipBlanks() } while reader.take(UInt8(ascii: ","))
    guard reader.take(UInt8(ascii: "<")) else { return nil }
    let target = reader.takeText { $0 != UInt8(ascii: ">") }
    guard reader.take(UInt8(ascii: ">")) else { return nil }
    var relations: [String]?
    var isAboutAnother = false
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
      if name == "anchor" { isAboutAnother = true }
      // Of several, the first one counts.
      if name == "rel", relations == nil {
        relations = value.utf8.split { " \t".utf8.contains($0) }
          .map { String(decoding: $0.map(\.asciiLowercased), as: UTF8.self) }
      }
    }
    return .some(isAboutAnother ? nil : WebLink(target: target, relations: relations ?? []))
  }

  /// A token or a quoted text; nil if a quote is not closed.
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
