import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An element of an XML document with its line. Text between elements is ignored, because Xcode writes no text there.
struct XcodeModelElement {
  let name: String
  let attributes: [String: String]
  /// The line on which the start tag ends, starting at 1.
  let line: Int
  var children: [XcodeModelElement] = []

  /// Parses a complete document. Markup that Xcode does not write is an error. External entities are not loaded.
  init(parsing bytes: [UInt8]) throws(XMLSyntaxError) {
    try Self.refuseWhatXcodeDoesNotWrite(bytes)
    let builder = TreeBuilder()
    let parser = XMLParser(data: Data(bytes))
    parser.shouldResolveExternalEntities = false
    parser.delegate = builder
    // The result is not reliable: Foundation returns true after some errors.
    _ = parser.parse()
    if let error = builder.error { throw error }
    guard let root = builder.root else {
      throw XMLSyntaxError(line: 1, message: "the file contains no XML", advice: XMLSyntaxError.restore)
    }
    self = root
  }

  fileprivate init(name: String, attributes: [String: String], line: Int) {
    self.name = name
    self.attributes = attributes
    self.line = line
  }

  /// Markup that is not in any model: its beginning, and its name in messages.
  ///
  /// Entities can expand a small file to a huge one. FoundationXML on Linux ends the process at a processing
  /// instruction without data, at a notation, and at an attribute without a default value.
  private static let unusualMarkup = [
    (start: "<!ENTITY", name: "an entity"), ("<!ATTLIST", "an attribute list"), ("<!NOTATION", "a notation"),
    ("<?", "a processing instruction"),
  ]

  /// Throws an error for markup that Xcode does not write. Only UTF-8 is read, because in other encodings a search of
  /// the bytes would not find the markup.
  private static func refuseWhatXcodeDoesNotWrite(_ bytes: [UInt8]) throws(XMLSyntaxError) {
    let data = Data(bytes)
    let byteOrderMark = Data([0xEF, 0xBB, 0xBF])
    var tail = data.starts(with: byteOrderMark) ? data.dropFirst(byteOrderMark.count) : data
    let isDeclared =
      tail.starts(with: "<?xml".utf8) && tail.dropFirst(5).first.map(" \t\r\n".utf8.contains) ?? false
    if isDeclared, let end = tail.range(of: Data("?>".utf8)) {
      let declaration = String(decoding: tail[..<end.lowerBound], as: UTF8.self)
      guard ["utf-8", "us-ascii"].contains(encoding(in: declaration)) else { throw .notInUTF8 }
      tail = tail[end.upperBound...]
    }
    if bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil { throw .notInUTF8 }
    for (start, name) in unusualMarkup {
      guard let found = tail.range(of: Data(start.utf8))?.lowerBound else { continue }
      throw XMLSyntaxError(
        line: 1 + data[..<found].count(where: { $0 == 0x0A }),
        message: "a model cannot contain \(name) ('\(start)')", advice: XMLSyntaxError.restore)
    }
  }

  /// Returns the encoding of an XML declaration in lowercase: the quoted text after the word, or UTF-8 without the
  /// word.
  private static func encoding(in declaration: String) -> String {
    guard let word = declaration.range(of: "encoding") else { return "utf-8" }
    let parts = declaration[word.upperBound...].split(omittingEmptySubsequences: false) {
      $0 == "\"" || $0 == "'"
    }
    return parts.count > 1 ? parts[1].lowercased() : ""
  }
}

/// The reason why bytes are not an XML document.
struct XMLSyntaxError: Error {
  /// The line of the error, starting at 1.
  let line: Int
  let message: String
  let advice: String?

  fileprivate static let notInUTF8 = XMLSyntaxError(
    line: 1, message: "the file is not in UTF-8", advice: "save it as UTF-8")

  fileprivate static let restore = "restore the file, or open and save the model in Xcode"
}

/// Builds the tree while the parser reads, and keeps the first error.
private final class TreeBuilder: NSObject, XMLParserDelegate {
  /// Far more than a model needs, and far less than would exhaust the stack.
  private static let maximumDepth = 64

  /// The elements that are not closed yet, with the outermost first.
  private var open: [XcodeModelElement] = []
  /// The number of elements that are not closed yet, including those that are too deep for `open`.
  private var depth = 0
  private(set) var root: XcodeModelElement?
  private(set) var error: XMLSyntaxError?

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    depth += 1
    if depth > Self.maximumDepth {
      fail(parser, "elements are nested more than \(Self.maximumDepth) levels deep")
    } else {
      open.append(XcodeModelElement(name: name, attributes: attributes, line: max(1, parser.lineNumber)))
    }
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?)
  {
    depth -= 1
    guard depth < Self.maximumDepth, let node = open.popLast() else { return }
    if open.isEmpty { root = node } else { open[open.count - 1].children.append(node) }
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    fail(parser, Self.message(forCode: (error as NSError).code))
  }

  private func fail(_ parser: XMLParser, _ message: String) {
    if error != nil { return }
    error = XMLSyntaxError(line: max(1, parser.lineNumber), message: message, advice: XMLSyntaxError.restore)
    parser.abortParsing()
  }

  /// Returns the message for an error code, which is libxml2's on every platform.
  private static func message(forCode code: Int) -> String {
    switch code {
    case 4, 5: "the XML is incomplete, or has text after its end"
    case 9: "the XML contains an invalid character"
    case 26: "the XML uses an undeclared entity"
    case 38, 39, 40, 41: "an attribute has no value or no quotes"
    case 42: "an element has a duplicate attribute"
    case 65, 68, 73: "the XML has an invalid tag"
    case 76, 77: "a start tag and an end tag do not match"
    default: "the XML is not well-formed"
    }
  }
}
