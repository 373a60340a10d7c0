import RecordEngine
import RecordModel
import ScenarioComparison
import ScenarioFormat

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
      let advice = LabelAdvice(labels: labels, schema: source.schema, properties: source.properties)
      throw Unknown(message: "no record has the label '\(text)'" + advice.text(for: text))
    }
    let length = text.hasPrefix(label.rawValue + ".") ? label.rawValue.count : label.unescapedText.count
    let name = PropertyName(String(text.dropFirst(length + 1)))
    guard let explanation = source.property(name, of: label) else {
      let names = source.properties(of: label).map(\.rawValue)
      let near = nearestName(to: name.rawValue, among: names).map { "; did you mean '\($0)'?" }
      let all = names.isEmpty ? "" : "; its properties are \(shortenedList(names))"
      throw Unknown(message: "'\(label)' has no property '\(name)'" + (near ?? all))
    }
    self.explanation = explanation
  }
}

extension RecordLabel {
  /// The text of the label without percent-encoding, which can be ambiguous.
  var unescapedText: String {
    // In a query, a plus sign would be a space.
    PercentEncoding.decoded(rawValue.replacing("+", with: "%2B"))
  }
}
