import RecordModel

/// The record or property that the text of a command names.
package struct ExplanationSubject {
  package let explanation: Explanation

  /// The reason why a text names no record or property.
  package struct Unknown: Error {
    package let message: String
  }

  /// Explains the record or property that a text names: `Post/1`, or `Post/1.title`. Labels can contain dots, so the
  /// longest label counts.
  package init(_ text: String, in source: some ExplanationSource) throws(Unknown) {
    let (current, former) = source.labels
    let labels = current + former
    if let explanation = source.record(RecordLabel(text)) {
      self.explanation = explanation
      return
    }
    let label = labels.filter { text.hasPrefix($0.rawValue + ".") }.max {
      $0.rawValue.utf8.count < $1.rawValue.utf8.count
    }
    guard let label else {
      // The property may follow a misspelled label.
      let base = text.split(separator: ".", omittingEmptySubsequences: false).dropLast().joined(
        separator: ".")
      let names = labels.map(\.rawValue)
      let near = nearestName(to: text, among: names) ?? nearestName(to: base, among: names)
      let few =
        labels.count <= 10 && !labels.isEmpty ? "; the records are \(names.joined(separator: ", "))" : ""
      throw Unknown(
        message: "no record has the label '\(text)'" + (near.map { "; did you mean '\($0)'?" } ?? few))
    }
    let name = PropertyName(String(text.dropFirst(label.rawValue.count + 1)))
    guard let explanation = source.property(name, of: label) else {
      let near = nearestName(to: name.rawValue, among: source.properties(of: label).map(\.rawValue))
      throw Unknown(
        message: "'\(label)' has no property '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
    }
    self.explanation = explanation
  }
}
