import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An element of an XML document with its line. Text between elements is left out: Xcode writes none.
struct XcodeModelElement {
  let name: String
  let attributes: [String: String]
  /// From 1. The one on which the start tag ends.
  let line: Int
  var children: [XcodeModelElement] = []

  /// Parses a whole document. Entities, which can make a small file huge, are refused, and nothing but the
  /// bytes is read.
  init(parsing bytes: [UInt8]) throws(XMLSyntaxError) {
    try Self.refuseWhatXcodeDoesNotWrite(bytes)
    let builder = TreeBuilder()
    let parser = XMLParser(data: Data(bytes))
    parser.shouldResolveExternalEntities = false
    parser.delegate = builder
    // Whether it returns true says nothing: Foundation does so after some errors.
    _ = parser.parse()
    if let error = builder.error { throw error }
    guard let root = builder.root else {
      throw XMLSyntaxError(line: 1, message: "the file has no XML in it", advice: XMLSyntaxError.restore)
    }
    self = root
  }

  fileprivate init(name: String, attributes: [String: String], line: Int) {
    self.name = name
    self.attributes = attributes
    self.line = line
  }

  /// Only UTF-8 is read, because in other encodings a search of the bytes would overlook the word it looks
  /// for.
  private static func refuseWhatXcodeDoesNotWrite(_ bytes: [UInt8]) throws(XMLSyntaxError) {
    let data = Data(bytes)
    if let end = data.range(of: Data("?>".utf8))?.lowerBound, data.starts(with: Data("<?xml".utf8)) {
      let declaration = String(decoding: data[..<end], as: UTF8.self).lowercased()
      if declaration.contains("encoding"), !declaration.contains("utf-8"), !declaration.contains("us-ascii") {
        throw XMLSyntaxError(line: 1, message: "the file is not in UTF-8", advice: "save it as UTF-8")
      }
    }
    if bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil {
      throw XMLSyntaxError(line: 1, message: "the file is not in UTF-8", advice: "save it as UTF-8")
    }
    if let place = data.range(of: Data("<!ENTITY".utf8))?.lowerBound {
      throw XMLSyntaxError(
        line: 1 + data[..<place].count(where: { $0 == 0x0A }),
        message: "the file declares entities, which no model does", advice: "remove the document type")
    }
  }
}

/// Why bytes are no XML document, and where.
struct XMLSyntaxError: Error {
  /// From 1.
  let line: Int
  let message: String
  let advice: String?

  fileprivate static let restore = "restore the file, or open and save the model in Xcode"
}

/// Builds the tree while the parser reads. Keeps the first error.
private final class TreeBuilder: NSObject, XMLParserDelegate {
  /// Far more than a model needs, far less than a stack holds.
  private static let maximumDepth = 64

  /// The elements that are open, outermost first.
  private var open: [XcodeModelElement] = []
  /// How many elements are open, those too deep for `open` included.
  private var depth = 0
  private(set) var root: XcodeModelElement?
  private(set) var error: XMLSyntaxError?

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    depth += 1
    if depth > Self.maximumDepth {
      fail(parser, "elements are nested more than \(Self.maximumDepth) deep")
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

  /// The codes are libxml2's, on every platform.
  private static func message(forCode code: Int) -> String {
    switch code {
    case 4, 5: "the XML is cut off, or something follows its end"
    case 9: "the XML has a character that XML does not allow"
    case 26: "the XML names an entity that nothing declares"
    case 38, 39, 40, 41: "an attribute lacks its value or its quotes"
    case 42: "an element has the same attribute twice"
    case 65, 68, 73: "a tag is not written as XML has it"
    case 76, 77: "a start tag and an end tag do not belong together"
    default: "the XML is not well-formed"
    }
  }
}
