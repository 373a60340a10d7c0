@testable import RecordEngine

/// `Link` headers and the addresses in them.
struct LinkTarget: FuzzTarget {
  func check(_ input: [UInt8]) {
    let header = LinkHeader(String(decoding: input, as: UTF8.self))
    let written = header.links.map {
      #"<\#($0.target)>; rel="\#(quoted($0.relations.joined(separator: " ")))""#
    }
    expect(
      LinkHeader(written.joined(separator: ", ")).links == header.links, "\(header.links) is read otherwise")
    for link in header.links {
      expect(!link.target.contains(">"), "the target '\(link.target)' continues behind its end")
      for relation in link.relations {
        expect(header.target(relation) != "", "the relation '\(relation)' leads to nothing")
      }
      check(WebAddress(link.target))
    }
  }

  private func check(_ address: WebAddress) {
    let text = address.text
    expect(WebAddress(text).text == text, "'\(text)' is written otherwise the second time")
    let base = WebAddress("https://api.test/a/b/c?d=e")
    let resolved = base.resolving(address)
    expect(
      resolved.isAbsolute && resolved.scheme != nil || address.scheme != nil,
      "'\(text)' is resolved to \(resolved)")
    expect(base.resolving(resolved).text == resolved.text, "'\(resolved.text)' is resolved otherwise again")
    for parameter in address.parameters { _ = (parameter.name, parameter.value) }
  }

  private func quoted(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.flatMap { "\"\\".unicodeScalars.contains($0) ? ["\\", $0] : [$0] }))
  }
}
