import JSONTree
import RecordModel

/// Mapping paths: the description of a path parses to an equal path, and the path can be looked up in any document.
struct KeyPathTarget: FuzzTarget {
  private let document: JSONDocument

  init() throws {
    let text =
      #"{"a":{"b":[{"a":1},{"a":[2,null]},3],"":{"a":0}},"b":[[1],[[2]],{"a":{"b":"text"}}],"a.b":true,"@count":7}"#
    document = try JSONDocument(parsing: Array(text.utf8))
  }

  func check(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    let path: MappingPath
    do throws(MappingPathSyntaxError) {
      path = try MappingPath(text)
    } catch {
      let count = text.unicodeScalars.count
      expect(error.range.lowerBound >= 0 && error.range.upperBound <= count, "\(error.range) of \(count)")
      expect(!error.message.isEmpty, "nothing is said about the error")
      return
    }
    let again = expectNoError("the description of a path is not a path") { try MappingPath(path.description) }
    expect(again == path, "'\(path)' is read as \(again.components)")
    expect(again.description == path.description, "the description changes")
    let built = MappingPath(components: path.components)
    expect(built == path && built.syntaxError == nil, "the components make no such path")
    if let finding = path.find(in: document.root) {
      _ = (finding.node.value.compactText(), finding.nodes.count)
    }
  }
}
