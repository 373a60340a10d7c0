import JSONTree
import ScenarioFormat

/// The members of an object of a recording, read with their expected kinds. Reports values of other kinds.
struct RecordingFields {
  let node: JSONNode
  let problems: RecordingProblems
  /// The object in messages: `an entry`.
  private let subject: String

  /// Creates the reader of an object. Reports another value and returns nil.
  init?(_ node: JSONNode, of subject: String, _ problems: RecordingProblems) {
    guard node.kind == .object else {
      problems.report(
        at: Self.shortRange(of: node), "expected an object for \(subject), found \(node.kind.withArticle)")
      return nil
    }
    (self.node, self.subject, self.problems) = (node, subject, problems)
  }

  subscript(key: String) -> JSONNode? { node[key].flatMap { $0.isNull ? nil : $0 } }

  /// Returns the first member with one of the keys.
  func first(_ keys: String...) -> JSONNode? {
    for key in keys { if let value = self[key] { return value } }
    return nil
  }

  /// Returns a member that must exist.
  func required(_ key: String) -> JSONNode? {
    if let value = self[key] { return value }
    problems.report(at: Self.shortRange(of: node), "\(subject) has no '\(key)'")
    return nil
  }

  func requiredString(_ key: String) -> String? { required(key).flatMap { string($0, "'\(key)'") } }

  func string(_ key: String) -> String? { self[key].flatMap { string($0, "'\(key)'") } }

  private func string(_ node: JSONNode, _ name: String) -> String? {
    if let text = node.string { return text }
    problems.report(
      at: Self.shortRange(of: node), "expected a string for \(name), found \(node.kind.withArticle)")
    return nil
  }

  /// Returns a status, written as a number or as a string; 0 if the response never arrived.
  func status(_ node: JSONNode) -> Int? {
    if let value = Self.number(node) { return value }
    problems.report(
      at: Self.shortRange(of: node),
      "expected a status from 100 to 599, found "
        + (node.number?.digits ?? node.string.map { "'\($0)'" } ?? node.kind.withArticle))
    return nil
  }

  /// Returns an integer that is written as a number or as a string, which may continue as in `200 OK`, or as the code of an
  /// object.
  static func number(_ node: JSONNode) -> Int? {
    if node.kind == .object {
      return (node["code"] ?? node["status"]).flatMap { $0.kind == .object ? nil : number($0) }
    }
    return (node.int64 ?? node.string.flatMap { Int64($0.prefix { $0 != " " }) }).map { Int($0) }
  }

  /// The range that a message underlines: the value, or the start of a container.
  static func shortRange(of node: JSONNode) -> Range<Int> {
    let range = node.byteRange
    return node.kind == .object || node.kind == .array
      ? range.lowerBound..<range.lowerBound + 1
      : range.prefix(80).startIndex..<min(range.upperBound, range.lowerBound + 80)
  }
}
