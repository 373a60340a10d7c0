import RecordEngine
package import RecordModel
import ScenarioComparison
package import ScenarioFormat

/// The advice for a text that is meant to name a record, or a property of one, and names none.
package struct LabelAdvice {
  /// The labels that exist.
  package let labels: [RecordLabel]
  package let schema: Schema
  /// Returns the names of the properties of a record, in the model's order.
  package let properties: (RecordLabel) -> [PropertyName]

  package init(labels: [RecordLabel], schema: Schema, properties: @escaping (RecordLabel) -> [PropertyName]) {
    (self.labels, self.schema, self.properties) = (labels, schema, properties)
  }

  /// Returns the advice with its separator, such as `; did you mean 'Post/1'?`, or the first labels if none is near.
  package func text(for text: String) -> String {
    if labels.isEmpty { return "; there are no records" }
    let ofEntity = labels.filter { $0.entity == RecordLabel(text).entity }
    // Which record of an entity is meant is unknown.
    if let first = ofEntity.first, haveSameScalars(first.entity.rawValue, text) {
      return list(ofEntity, of: first.entity)
    }
    if let near = near(text, ofEntity) { return "; did you mean '\(near)'?" }
    return ofEntity.isEmpty ? list(labels, of: nil) : list(ofEntity, of: ofEntity[0].entity)
  }

  private func near(_ text: String, _ ofEntity: [RecordLabel]) -> String? {
    let names = labels.map(\.rawValue)
    let existing = Set(labels)
    func similarLabel(to text: String) -> String? {
      let namesakes = schema.namesakes(of: RecordLabel(text), where: existing.contains)
      return namesakes.first?.rawValue ?? nearestName(to: text, among: names)
    }
    if let near = similarLabel(to: text) { return near }
    if let (base, last) = parts(of: text, at: ".") {
      // The property may follow a misspelled label.
      if let near = similarLabel(to: base) {
        return near + (property(last, of: near).map { "." + $0 } ?? "")
      }
      // The property may follow an entity: `User.login`.
      if let first = labels.first(where: { haveSameScalars($0.entity.rawValue, base) }),
        properties(first).contains(where: { haveSameScalars($0.rawValue, last) })
      {
        return "\(first).\(last)"
      }
    }
    // The property may follow a slash: `User/7/login`.
    if let (base, last) = parts(of: text, at: "/"), let near = similarLabel(to: base),
      let property = property(last, of: near)
    {
      return "\(near).\(property)"
    }
    // Of a key that is an address, the last part may be given.
    let key = text.drop { $0 != "/" }
    return key.count > 1 ? ofEntity.first { $0.unescapedText.hasSuffix(key) }?.rawValue : nil
  }

  /// Returns the parts of a text before and after the last separator; nil if there is none.
  private func parts(of text: String, at separator: Character) -> (String, String)? {
    text.lastIndex(of: separator).map { (String(text[..<$0]), String(text[text.index(after: $0)...])) }
  }

  /// Returns the name of a property of a record that is equal or similar to a text.
  private func property(_ text: String, of label: String) -> String? {
    let names = properties(RecordLabel(label)).map(\.rawValue)
    return names.first { haveSameScalars($0, text) } ?? nearestName(to: text, among: names)
  }

  private func list(_ labels: [RecordLabel], of entity: EntityName?) -> String {
    let subject = entity.map { "the \($0) records are" } ?? "the records are"
    return "; \(subject) \(shortenedList(labels.map(\.rawValue)))"
  }
}
