import Foundation
import JSONTree
import ScenarioComparison
import ScenarioFormat
import ScenarioReport

/// An edit of a scenario that writes the contents of a file into it, so that these can be reduced, too.
struct InlinedFile: Sendable {
  /// The texts that replace keys with their values, by the number of the part.
  private(set) var replacements: [Int: String] = [:]
  /// The parts that are no longer needed.
  private(set) var removed: Set<Int> = []

  /// Returns the edits for a model file and for the recorded bodies of a scenario. Xcode models are inlined if a model
  /// file can express them. Files that are not JSON, and files that are named in other ways, remain files.
  static func all(in scenario: LoadedScenario, _ parts: RemovableParts) -> [InlinedFile] {
    var files = [model(of: scenario, parts)].compactMap(\.self)
    for address in parts.children(of: parts.topLevel("responses")) {
      let isList = parts.parts[address].value.elements != nil
      let responses = isList ? parts.children(of: address) : [address]
      files += responses.compactMap { body(of: scenario, parts, $0) }
    }
    return files
  }

  // MARK: Models

  private static func model(of scenario: LoadedScenario, _ parts: RemovableParts) -> InlinedFile? {
    guard let part = parts.topLevel("model"), let name = parts.parts[part].value.scalar?.text,
      let column = column(of: part, parts)
    else { return nil }
    let path = FileAccess.path(of: name, namedIn: scenario.path)
    var text: String
    if let source = scenario.sources.first(where: { $0.path == path }) {
      guard let root = YAMLParser.parse(SourceFile(path: path, bytes: source.bytes)).root else { return nil }
      let modelParts = RemovableParts(root)
      let version = modelParts.topLevel("schemaVersion")
      text = String(decoding: modelParts.text(without: Set([version].compactMap(\.self))), as: UTF8.self)
    } else {
      guard let model = scenario.scenario?.model else { return nil }
      let export = ModelExport(model)
      guard export.losses.isEmpty else { return nil }
      text = export.text
    }
    let indentation = String(repeating: " ", count: column + 2)
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .filter {
        !$0.hasPrefix("---") && !$0.hasPrefix("# yaml-language-server:") && !$0.hasPrefix("# $schema:")
      }
      .map { $0.isEmpty ? "" : indentation + $0 }
    text = (["model:"] + lines).joined(separator: "\n")
    while text.last?.isNewline == true { text.removeLast() }
    var file = InlinedFile()
    file.replacements[part] = text
    return file
  }

  // MARK: Bodies

  private static func body(of scenario: LoadedScenario, _ parts: RemovableParts, _ response: Int)
    -> InlinedFile?
  {
    guard let part = parts.child("bodyFile", of: response), let name = parts.parts[part].value.scalar?.text
    else { return nil }
    let path = FileAccess.path(of: name, namedIn: scenario.path)
    guard let source = scenario.sources.first(where: { $0.path == path }),
      let document = try? JSONDocument(parsing: source.bytes)
    else { return nil }
    var file = InlinedFile()
    let at = parts.child("at", of: response)
    guard let body = value(at: at, parts, document) else { return nil }
    if let at { file.removed.insert(at) }
    file.replacements[part] = text("body", body, part, parts)
    if let status = parts.child("status", of: response), parts.parts[status].group != nil {
      guard let value = value(at: parts.child("at", of: status), parts, document) else { return nil }
      file.replacements[status] = text("status", value, status, parts)
    }
    for header in parts.children(of: parts.child("headers", of: response)) {
      guard let at = parts.child("at", of: header) else { continue }
      guard let value = value(at: at, parts, document), let key = parts.parts[header].key else { return nil }
      file.replacements[header] = text(key, value, header, parts)
    }
    return file
  }

  /// Returns the value at the pointer that a part contains; the whole document without a part.
  private static func value(at part: Int?, _ parts: RemovableParts, _ document: JSONDocument) -> JSONValue? {
    guard let part else { return document.root.value }
    guard let pointer = parts.parts[part].value.scalar.flatMap({ JSONPointer($0.text) }) else { return nil }
    return document.root.value(at: pointer)?.value
  }

  /// Returns a key with a value as YAML, in the place of a part.
  private static func text(_ key: String, _ value: JSONValue, _ part: Int, _ parts: RemovableParts) -> String
  {
    guard let column = column(of: part, parts) else {
      let object = JSONValue.object([key: value]).compactText()
      return String(object.dropFirst().dropLast())
    }
    // The root would be written on one line with braces.
    let text = JSONValue.object([key: value, "": .object(["": [:]])]).yamlText()
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let end = lines.lastIndex { $0.hasPrefix("\"\":") } ?? lines.count
    return lines[..<end].enumerated()
      .map { ($0 == 0 ? "" : String(repeating: " ", count: column)) + $1 }
      .joined(separator: "\n")
  }

  /// Returns the number of characters before a part on its line; nil if it is in brackets.
  private static func column(of part: Int, _ parts: RemovableParts) -> Int? {
    parts.parts[part].isInFlow ? nil : parts.column(of: part)
  }
}
