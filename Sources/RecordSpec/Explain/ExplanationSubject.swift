import RecordEngine
import RecordModel

/// The record or property that the text of a command names.
package struct ExplanationSubject {
  package let explanation: Explanation

  /// The reason why a text names no record or property.
  package struct Unknown: Error {
    package let message: String
  }

  /// Explains the record or property that a text names: `Post/1`, or `Post/1.title`. Labels can contain dots, so the
  /// longest label counts. The key of a label can also be written without percent-encoding.
  package init(_ text: String, in source: some ExplanationSource) throws(Unknown) {
    let (current, former) = source.labels
    let labels = current + former
    if let explanation = source.record(RecordLabel(text)) {
      self.explanation = explanation
      return
    }
    let whole = labels.filter { $0.unescapedText == text }
    if whole.count == 1, let explanation = source.record(whole[0]) {
      self.explanation = explanation
      return
    }
    let label = labels.filter { label in
      [label.rawValue, label.unescapedText].contains { text.hasPrefix($0 + ".") }
    }.max { $0.rawValue.utf8.count < $1.rawValue.utf8.count }
    guard let label else {
      throw Unknown(message: "no record has the label '\(text)'" + Self.advice(for: text, labels, in: source))
    }
    let length = text.hasPrefix(label.rawValue + ".") ? label.rawValue.count : label.unescapedText.count
    let name = PropertyName(String(text.dropFirst(length + 1)))
    guard let explanation = source.property(name, of: label) else {
      let near = nearestName(to: name.rawValue, among: source.properties(of: label).map(\.rawValue))
      throw Unknown(
        message: "'\(label)' has no property '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
    }
    self.explanation = explanation
  }

  /// Returns advice such as `; did you mean 'Post/1'?` for an unknown label; empty if there are no records.
  private static func advice(
    for text: String, _ labels: [RecordLabel], in source: some ExplanationSource
  ) -> String {
    let names = labels.map(\.rawValue)
    if let near = nearestName(to: text, among: names) { return "; did you mean '\(near)'?" }
    // The property may follow a misspelled label.
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let (base, last) = (parts.dropLast().joined(separator: "."), parts.last ?? "")
    if let near = nearestName(to: base, among: names) {
      let properties = source.properties(of: RecordLabel(near)).map(\.rawValue)
      let property =
        properties.first { haveSameScalars($0, last) } ?? nearestName(to: last, among: properties)
      return "; did you mean '\(near)\(property.map { "." + $0 } ?? "")'?"
    }
    // The property may follow an entity: `User.login`.
    if let first = labels.first(where: { haveSameScalars($0.entity.rawValue, base) }),
      source.properties(of: first).contains(where: { haveSameScalars($0.rawValue, last) })
    {
      return "; did you mean '\(first).\(last)'?"
    }
    let ofEntity = labels.filter { $0.entity == RecordLabel(text).entity }
    // Of a key that is an address, the last part may be given.
    let key = text.drop { $0 != "/" }
    if key.count > 1, let near = ofEntity.first(where: { $0.unescapedText.hasSuffix(key) }) {
      return "; did you mean '\(near)'?"
    }
    if labels.isEmpty { return "; there are no records" }
    let listed = ofEntity.isEmpty ? labels : ofEntity
    let rest = listed.count > 10 ? " and \(listed.count - 10) more" : ""
    let subject = ofEntity.isEmpty ? "the records are" : "the \(ofEntity[0].entity) records are"
    return "; \(subject) \(listed.prefix(10).map(\.rawValue).joined(separator: ", "))\(rest)"
  }
}

extension RecordLabel {
  /// The text of the label without percent-encoding, which can be ambiguous.
  fileprivate var unescapedText: String {
    // In a query, a plus sign would be a space.
    PercentEncoding.decoded(rawValue.replacing("+", with: "%2B"))
  }
}
