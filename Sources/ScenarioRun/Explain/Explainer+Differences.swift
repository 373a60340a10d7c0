import JSONTree
package import RecordModel
package import ScenarioComparison
package import ScenarioFormat

/// The explanations of differences.
extension Explainer {
  /// A diagnostic that is reported with the differences.
  package struct ToldDiagnostic: Hashable {
    private let step: Int
    private let pointer: String?
    private let property: PropertyName?

    package init(step: Int, _ diagnostic: DiagnosticSnapshot) {
      self.step = step
      pointer = diagnostic.pointer
      property = diagnostic.property
    }

    fileprivate init?(_ fact: Explanation.Fact, on property: PropertyName?) {
      guard let step = fact.step, let pointer = fact.pointer else { return nil }
      self.step = step
      self.pointer = pointer.description
      self.property = property
    }
  }

  /// Adds the reason to the examples of each shape whose actual value is missing: the step that deleted the record, or the
  /// paths that were tried, and near keys of the item that no property reads.
  ///
  /// - Parameters:
  ///   - limit: the number of differences, from the first, that also get the whole explanation.
  ///   - told: the reported diagnostics, which are not repeated as reasons.
  package func explained(
    _ differences: Differences, limit: Int, told: Set<ToldDiagnostic> = []
  ) -> Differences {
    var count = 0
    return differences.mapExamples { difference in
      var difference = difference
      if let note = noteOnDeletion(of: difference.lost, until: difference.step) {
        difference.note = note
      } else if difference.note == nil {
        difference.reason = reason(for: difference, told)
      }
      if count < limit {
        difference.explanation = explanation(of: difference, told)
        if !difference.explanation.isEmpty { count += 1 }
      }
      return difference
    }
  }

  /// Returns a line for each attribute that has no value in any record of its entity, although the item of its first
  /// record has a similar key that no property reads.
  package func misnamedAttributes(in graph: GraphSnapshot) -> [String] {
    graph.unfilledAttributes(schema).compactMap { label, attribute in
      guard let explanation = property(attribute, of: label, after: nil),
        explanation.facts.contains(where: { $0.name == "near" }),
        let reason = explanation.reasonForMissingValue?.text
      else { return nil }
      return "\(label.entity).\(attribute) has no value: \(reason)"
    }
  }

  private func explanation(of difference: Difference, _ told: Set<ToldDiagnostic>) -> [String] {
    if let property = property(of: difference) { return Array(property.omitting(told).lines.dropFirst()) }
    guard let label = difference.record, difference.property == nil else {
      // An expectation without a matching record is explained by a difference of the nearest one.
      let inner = difference.nearest?.differences ?? []
      let explained = inner.first { reason(for: $0, []) != nil } ?? inner.first
      return explained.flatMap { property(of: $0)?.omitting(told).lines } ?? []
    }
    return record(label)?.lines ?? []
  }

  private func property(of difference: Difference) -> Explanation? {
    guard let label = difference.record, let name = difference.property else { return nil }
    return property(PropertyName(name), of: label, after: difference.step)
  }

  /// Returns a note on the deletion of the first of the records that were deleted; nil if none were.
  ///
  /// - Parameter step: the step after which the records are missing; nil for the last step.
  private func noteOnDeletion(of labels: [RecordLabel], until step: Int?) -> String? {
    let end = step ?? stepCount
    for (index, label) in labels.prefix(10).enumerated() {
      guard let fact = deletionFacts(of: label, until: end).first else { continue }
      let rules = fact.rules.isEmpty ? "" : " (\(fact.rules.joined(separator: ", ")))"
      let rest = labels.count - index - 1
      let others =
        rest > 0 ? "; \(counted(rest, "other record")) \(rest == 1 ? "is" : "are") also missing" : ""
      return "\(label) was deleted in \(fact.text)\(rules)\(others)"
    }
    return nil
  }

  private func reason(
    for difference: Difference, _ told: Set<ToldDiagnostic>
  ) -> Difference.Reason? {
    if let nearest = difference.nearest {
      return nearest.differences.lazy.compactMap { inner in
        self.reason(for: inner, told)?.text.map { .text("\(inner.property ?? ""): \($0)") }
      }.first
    }
    guard difference.expected != ValueText.nothing, let explanation = property(of: difference) else {
      return nil
    }
    guard difference.actual == ValueText.nothing else {
      return explanation.reasonForKeptValue.map(Difference.Reason.text)
    }
    guard explanation.value == nil, let (text, fact) = explanation.reasonForMissingValue else { return nil }
    return told.contains(fact, on: explanation.property) ? .reported : .text(text)
  }
}

extension Set<Explainer.ToldDiagnostic> {
  /// Returns a Boolean value that indicates whether one of the diagnostics is about the value of a fact.
  fileprivate func contains(_ fact: Explanation.Fact, on property: PropertyName?) -> Bool {
    Explainer.ToldDiagnostic(fact, on: property).map(contains) ?? false
  }
}

extension GraphSnapshot {
  /// Returns the attributes that have no value in any record of their entity, each with the first record, sorted.
  package func unfilledAttributes(_ schema: Schema) -> [(first: RecordLabel, attribute: PropertyName)] {
    let byEntity = Dictionary(grouping: records.values, by: \.entity)
    return byEntity.sorted { $0.key < $1.key }.flatMap { name, records in
      let filled = records.reduce(into: Set<PropertyName>()) { $0.formUnion($1.properties.keys) }
      let attributes = schema.entity(name)?.attributes.map(\.name).filter { !filled.contains($0) } ?? []
      let first = records.map(\.label).min()
      return attributes.sorted().compactMap { attribute in first.map { ($0, attribute) } }
    }
  }
}

extension Explanation {
  /// Returns the explanation without the sentences that reported diagnostics contain.
  fileprivate func omitting(_ told: Set<Explainer.ToldDiagnostic>) -> Explanation {
    guard value == nil, !told.isEmpty else { return self }
    var explanation = self
    for index in facts.indices
    where facts[index].name == "value" && told.contains(facts[index], on: property) {
      explanation.facts[index].text = "reported above"
    }
    return explanation
  }

  /// The reason why a property has no value although one is expected, and the fact that it comes from; nil if no response
  /// mentions the record.
  fileprivate var reasonForMissingValue: (text: String, fact: Fact)? {
    guard let fact = facts.first(where: { ["value", "tried"].contains($0.name) }), let pointer = fact.pointer
    else { return nil }
    let place = pointer.place
    guard fact.name == "tried" else { return ("at \(place): \(fact.text)", fact) }
    let near = Self.keys(facts.filter { $0.name == "near" })
    let text =
      near.isEmpty
      ? "tried \(fact.text), which the item at \(place) does not have"
      : "tried \(fact.text); the item at \(place) has \(near.joined(separator: ", ")), which no property reads"
    return (text, fact)
  }
  /// The reason why a property may have a value of an earlier response: the last response that mentions the record does
  /// not have the key, but a similar key that no property reads.
  fileprivate var reasonForKeptValue: String? {
    guard let setting = facts.first, setting.name == "set by",
      let last = facts.lastIndex(where: { $0.name == "then" }), let step = facts[last].step
    else { return nil }
    let near = facts[(last + 1)...].prefix { $0.name == "near" }
    guard let pointer = near.first?.pointer else { return nil }
    let place = JSONPointer(tokens: pointer.tokens.dropLast()).place
    let keys = Self.keys(near).joined(separator: ", ")
    return "set by \(setting.text); the item of step \(step) at \(place) has \(keys), which no property reads"
  }

  private static func keys(_ near: some Sequence<Fact>) -> [String] {
    near.compactMap { $0.pointer?.tokens.last.map { "'\($0)'" } }
  }
}
