import JSONTree
import RecordModel

/// A file that supplies the body of a response, or parts of the body and headers.
///
/// An error in the file is reported once, even if several keys use the file.
package final class Recording {
  private let findings: Findings
  private let file: YAMLPair
  private let path: String
  /// The bytes of the file; nil if it cannot be read, which is reported.
  package let bytes: [UInt8]?
  /// The parsed file; nil if it is not JSON, which is reported.
  private lazy var document = parsed()

  /// Creates a recording.
  ///
  /// - Parameters:
  ///   - file: the key that names the file.
  ///   - scenario: the scenario that the name is relative to.
  package init(_ file: YAMLPair, namedIn scenario: ScenarioFile, findings: Findings) {
    self.findings = findings
    self.file = file
    let name = findings.string(file)
    path = name.map { FileAccess.path(of: $0, namedIn: scenario.path) } ?? ""
    bytes =
      name == nil
      ? nil
      : findings.bytes(
        ofFile: path, named: name, namedAt: .span(file.value.span), within: scenario.folders,
        besides: Self.files(in: findings.roots.first, namedIn: scenario))
  }

  /// Returns the paths of the files that the responses of a scenario name.
  private static func files(in root: YAMLNode?, namedIn scenario: ScenarioFile) -> Set<String> {
    let responses = (root?["responses"]?.pairs ?? []).flatMap { $0.value.elements ?? [$0.value] }
    return Set(
      responses.compactMap { response in
        response["bodyFile"]?.scalar.map { FileAccess.path(of: $0.text, namedIn: scenario.path) }
      })
  }

  private func parsed() -> JSONDocument? {
    guard let bytes else { return nil }
    do {
      return try JSONDocument(parsing: bytes)
    } catch {
      let source = SourceFile(path: path, bytes: bytes)
      let name = file.value.scalar?.text ?? path
      findings.report(
        .noJSON, at: file.value.span, "'\(name)' is not valid JSON: \(error.message)",
        notes: [.init(source.span(error.location.offset..<error.location.offset), "here")])
      return nil
    }
  }

  /// Returns the bytes of the file, or of the value at a JSON pointer, unchanged.
  package func body(at pair: YAMLPair?) -> (body: CannedResponse.Body, source: BodySource)? {
    guard let bytes else { return nil }
    guard let pair else { return (.bytes(bytes), .file(path: path, bytes: bytes, start: 0)) }
    guard let range = node(at: pair)?.byteRange else { return nil }
    return (.bytes(Array(bytes[range])), .file(path: path, bytes: bytes, start: range.lowerBound))
  }

  /// Returns the string at a JSON pointer, or a number or a Boolean as text.
  package func text(at pair: YAMLPair) -> String? {
    guard let node = node(at: pair) else { return nil }
    switch node.kind {
    case .string: return node.string
    case .number, .boolean: return bytes.map { String(decoding: $0[node.byteRange], as: UTF8.self) }
    case .null, .array, .object:
      findings.report(
        .wrongKind, at: pair.value.span,
        "expected a string in '\(path)', found \(node.kind.withArticle)")
      return nil
    }
  }

  /// Returns the integer at a JSON pointer, if it is in a range.
  package func integer(at pair: YAMLPair, in range: ClosedRange<Int>) -> Int? {
    guard let node = node(at: pair) else { return nil }
    if let value = node.number?.int64Value.flatMap(Int.init(exactly:)), range.contains(value) { return value }
    let found =
      if let number = node.number { number.digits } else { node.kind.withArticle }
    findings.report(
      .wrongKind, at: pair.value.span,
      "expected an integer from \(range.lowerBound) to \(range.upperBound) in '\(path)', found \(found)")
    return nil
  }

  private func node(at pair: YAMLPair) -> JSONNode? {
    guard let text = findings.string(pair.value, for: "'at'") else { return nil }
    guard let pointer = JSONPointer(text) else {
      findings.report(
        .pointerSyntax, at: pair.value.span, "'\(text)' is not a JSON pointer", advice: "write '/0/response'")
      return nil
    }
    guard let document else { return nil }
    guard let node = document.root.value(at: pointer) else {
      reportMissing(pointer, in: document, at: pair.value)
      return nil
    }
    return node
  }

  /// Reports the first part of a pointer that does not exist.
  private func reportMissing(_ pointer: JSONPointer, in document: JSONDocument, at node: YAMLNode) {
    var parent = document.root
    var parentPath = JSONPointer()
    var missing = ""
    for token in pointer.tokens {
      let next = JSONPointer(tokens: parentPath.tokens + [token])
      guard let value = document.root.value(at: next) else {
        missing = token
        break
      }
      parent = value
      parentPath = next
    }
    let location = parentPath.tokens.isEmpty ? "its root" : "'\(parentPath.description)'"
    let message: String
    var advice: String?
    switch parent.kind {
    case .array: message = "\(location) has \(counted(parent.count, "element")) and no '\(missing)'"
    case .object:
      message = "\(location) has no '\(missing)'"
      advice = nearestName(to: missing, among: parent.members.map(\.key)).map { "did you mean '\($0)'?" }
    default: message = "\(location) is \(parent.kind.withArticle)"
    }
    findings.report(
      .missingValue, at: node.span, "no value at this pointer in '\(path)': \(message)", advice: advice)
  }
}
