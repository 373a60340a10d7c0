import RecordEngine
import RecordModel

/// The advice for a text that is meant to name a record, or a property of one, and names none.
struct LabelAdvice {
  /// The labels that exist.
  let labels: [RecordLabel]
  /// Returns the names of the properties of a record, in the model's order.
  let properties: (RecordLabel) -> [PropertyName]

  /// Returns the advice with its separator, such as `; did you mean 'Post/1'?`, or the first labels if none is near.
  func text(for text: String) -> String {
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
    if let near = nearestName(to: text, among: names) { return near }
    // The property may follow a misspelled label, or be separated from it by a slash.
    for separator: Character in [".", "/"] {
      guard let end = text.lastIndex(of: separator) else { continue }
      let (base, last) = (String(text[..<end]), String(text[text.index(after: end)...]))
      guard let near = names.contains(base) ? base : nearestName(to: base, among: names) else { continue }
      let properties = properties(RecordLabel(near)).map(\.rawValue)
      let property =
        properties.first { haveSameScalars($0, last) } ?? nearestName(to: last, among: properties)
      if separator == "." || property != nil { return near + (property.map { "." + $0 } ?? "") }
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let (base, last) = (parts.dropLast().joined(separator: "."), parts.last ?? "")
    // The property may follow an entity: `User.login`.
    if let first = labels.first(where: { haveSameScalars($0.entity.rawValue, base) }),
      properties(first).contains(where: { haveSameScalars($0.rawValue, last) })
    {
      return "\(first).\(last)"
    }
    // Of a key that is an address, the last part may be given.
    let key = text.drop { $0 != "/" }
    return key.count > 1 ? ofEntity.first { $0.unescapedText.hasSuffix(key) }?.rawValue : nil
  }

  private func list(_ labels: [RecordLabel], of entity: EntityName?) -> String {
    let subject = entity.map { "the \($0) records are" } ?? "the records are"
    return "; \(subject) \(shortenedList(labels.map(\.rawValue)))"
  }
}
