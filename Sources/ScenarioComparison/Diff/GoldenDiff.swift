package import JSONTree
package import RecordModel
package import ScenarioFormat

/// A comparison of a golden file with the actual result, record by record and value by value, never as text. Linear in
/// the number of records and links; see `RecordPairing`.
package struct GoldenDiff {
  package let recorded: RecordedContent
  package let actual: ScenarioSnapshot
  let actualContent: RecordedContent
  package let model: Schema
  package let location: Difference.Location
  private let pairing: RecordPairing
  /// The entities with another number of records, because all their labels have changed. Links to them are not compared.
  private let splitEntities: Set<EntityName>
  package var differences = Differences()

  /// Returns the differences: those of drift, then those of the records in the order of the labels, then those of the
  /// steps.
  ///
  /// - Parameter path: the golden file, as the user would type it.
  package static func differences(
    recorded: RecordedContent, actual: ScenarioSnapshot, model: Schema, path: String
  ) -> Differences {
    var diff = GoldenDiff(recorded: recorded, actual: actual, model: model, path: path)
    let steps = StepPairing(recorded: recorded.steps, actual: diff.actualContent.steps)
    // Drift is often the cause of other differences.
    diff.compareDrift(steps)
    diff.compareGraph()
    diff.compareSteps(steps)
    return diff.differences
  }

  private init(recorded: RecordedContent, actual: ScenarioSnapshot, model: Schema, path: String) {
    self.recorded = recorded
    self.actual = actual
    self.model = model
    location = .golden(path)
    actualContent = RecordedContent(actual)
    pairing = RecordPairing(recorded: recorded, actual: actualContent, model: model)
    splitEntities = Set(pairing.relabeled.filter(\.isSplit).map(\.entity))
    func counts(_ content: RecordedContent) -> [EntityName: Int] {
      content.records.values.reduce(into: [:]) { counts, record in counts[record.entity, default: 0] += 1 }
    }
    differences.recordCounts = (counts(recorded), counts(actualContent))
  }

  /// Returns the labels that can be compared.
  func comparable(_ labels: [RecordLabel]) -> [RecordLabel] {
    splitEntities.isEmpty ? labels : labels.filter { !splitEntities.contains($0.entity) }
  }

  func translated(_ label: RecordLabel) -> RecordLabel { pairing.translation[label] ?? label }
}

// Graph
extension GoldenDiff {
  private mutating func compareGraph() {
    for relabeling in pairing.relabeled {
      differences.append(
        Difference(
          .relabeled, at: location, entity: relabeling.entity, expected: Self.text(of: relabeling.recorded),
          actual: Self.text(of: relabeling.actual), note: relabeling.cause))
    }
    var deletions: [RecordLabel: Int] = [:]
    for (index, step) in actual.steps.enumerated() {
      for label in step.deleted { deletions[label] = index + 1 }
    }
    for label in pairing.missing {
      differences.append(
        Difference(
          .missing, at: location, record: label,
          expected: recorded.records[label].map { ValueText.of($0.properties) }, actual: ValueText.nothing,
          note: deletions[label].map { "step \($0) deletes the record" },
          lost: deletions[label] == nil ? [] : [label]))
    }
    for label in pairing.extra {
      differences.append(
        Difference(
          .extra, at: location, record: label, expected: ValueText.nothing,
          actual: actualContent.records[label].map { ValueText.of($0.properties) }))
    }
    for (label, found) in pairing.duplicated {
      differences.append(
        Difference(
          .duplicated, at: location, record: label, expected: "one record",
          actual: ValueText.clipped("\(found.count) records: \(ValueText.of(found))")))
    }
    for (label, actual) in pairing.pairs { compareRecord(label, actual) }
  }

  private mutating func compareRecord(_ label: RecordLabel, _ actualLabel: RecordLabel) {
    guard let record = recorded.records[label], let actual = actual.graph[actualLabel] else { return }
    if record.entity != actual.entity {
      differences.append(
        Difference(
          .changed, at: location, record: actualLabel, expected: "entity \(record.entity)",
          actual: "entity \(actual.entity)"))
    }
    for name in Set(record.properties.keys).union(actual.properties.keys).sorted() {
      let value = record.properties[name]
      let property = actual.properties[name]
      if model.relationship(name, of: actual.entity) != nil, let members = members(value) {
        // The links of records that have been split or merged follow from that.
        if splitEntities.contains(record.entity) { continue }
        compareLinks(members, isList: value?.kind == .array, property, name, actualLabel)
      } else if value != property?.goldenForm {
        let type = model.attribute(name, of: actual.entity)?.type
        appendChange(
          record: actualLabel, name.rawValue,
          ValueText.of(value, type: value.flatMap { ValueText.readable($0, as: type) }),
          ValueText.of(property),
          types: ValueText.types(value, property?.goldenForm, type: type))
      }
    }
  }

  /// Returns the labels in a recorded relationship; nil if the value cannot be one.
  package func members(_ value: JSONValue?) -> [RecordLabel]? {
    switch value {
    case nil, .null?: return []
    case .string(let text)?: return [RecordLabel(text)]
    case .array(let elements)?:
      let labels = elements.compactMap { if case .string(let text) = $0 { RecordLabel(text) } else { nil } }
      return labels.count == elements.count ? labels : nil
    default: return nil
    }
  }

  private mutating func compareLinks(
    _ members: [RecordLabel], isList: Bool, _ property: PropertySnapshot?, _ name: PropertyName,
    _ label: RecordLabel
  ) {
    let dangling = members.filter { recorded.records[$0] == nil }
    if let first = dangling.first {
      differences.append(
        Difference(
          .dangling, at: location, record: label, property: name.rawValue, expected: first.rawValue,
          note: "the golden file has no record with this label"))
      return
    }
    let expected = comparable(members.map(translated))
    let links = comparable(property?.links ?? [])
    if expected.isEmpty, links.isEmpty, !members.isEmpty { return }
    switch property {
    case .toMany(_, isOrdered: false)?
    where isList && Set(expected) == Set(links) && members != members.sorted():
      // The members of an unordered relationship are recorded in the order of their labels.
      differences.append(
        Difference(
          .order, at: location, record: label, property: name.rawValue,
          expected: ValueText.clipped(ValueText.of(members)), actual: ValueText.clipped(ValueText.of(links)),
          note:
            "the relationship is not 'ordered' in the model, but its members are in another order in the golden file"
        ))
    case .toMany(_, let isOrdered)? where isList:
      compareLists(expected, links, of: "records", isOrdered: isOrdered, record: label, name.rawValue) {
        $0.rawValue
      }
    case .toOne? where !isList, nil:
      guard expected != links else { return }
      let hasInverse = model.relationship(name, of: label.entity)?.inverse != nil
      appendChange(
        record: label, name.rawValue, isList ? ValueText.of(members) : ValueText.of(members.first),
        ValueText.of(property),
        note: links.isEmpty && !hasInverse
          ? "'\(name)' has no inverse in the model, so no other relationship sets it" : nil)
    default:
      appendChange(
        record: label, name.rawValue, isList ? ValueText.of(members) : ValueText.of(members.first),
        ValueText.of(property), note: "the model declares '\(name)' as \(isList ? "to-one" : "to-many")")
    }
  }

  /// Returns the number of records and their first labels.
  private static func text(of labels: [RecordLabel]) -> String {
    let more = labels.count > 5 ? ", …" : ""
    let list = labels.prefix(5).map(\.rawValue).joined(separator: ", ")
    return ValueText.clipped("\(counted(labels.count, "record")): \(list)\(more)")
  }
}

// Values
extension GoldenDiff {
  /// Reports the entries that only one of the lists has. If there are none, reports a difference in order.
  ///
  /// - Parameter extraText: a function that returns the text of an entry that only the actual list has. By default,
  ///   `text`.
  mutating func compareLists<Entry: Hashable>(
    _ expected: [Entry], _ actual: [Entry], of entries: String, isOrdered: Bool, record: RecordLabel? = nil,
    step: Int? = nil, _ name: String, isAboutDrift: Bool = false, text: (Entry) -> String,
    extraText: ((Entry) -> String)? = nil
  ) {
    let lost = expected.subtracting(actual)
    let new = actual.subtracting(expected)
    guard lost.isEmpty, new.isEmpty else {
      let kind: Difference.Kind = new.isEmpty ? .missing : lost.isEmpty ? .extra : .changed
      let known = Set(expected)
      let repeated = lost.isEmpty && !new.isEmpty && new.allSatisfy(known.contains)
      differences.append(
        Difference(
          kind, at: location, step: step, record: record, property: name, isAboutDrift: isAboutDrift,
          missing: lost.map(text),
          extra: new.map { extraText?($0) ?? text($0) },
          note: repeated ? "these \(entries) occur more often than in the golden file" : nil))
      return
    }
    guard isOrdered, expected != actual else { return }
    let (left, right) = ValueText.clipped(
      "[" + expected.map(text).joined(separator: ", ") + "]",
      "[" + actual.map(text).joined(separator: ", ") + "]")
    differences.append(
      Difference(
        .order, at: location, step: step, record: record, property: name, isAboutDrift: isAboutDrift,
        expected: left, actual: right,
        note: "the \(entries) are the same, in a different order"))
  }

  mutating func appendChange(
    record: RecordLabel? = nil, step: Int? = nil, _ name: String, _ expected: String, _ actual: String,
    types: Difference.Types? = nil, note: String? = nil
  ) {
    let (left, right) = ValueText.clipped(expected, actual)
    differences.append(
      Difference(
        .changed, at: location, step: step, record: record, property: name, expected: left, actual: right,
        types: types, note: note))
  }
}

extension ValueText {
  fileprivate static func of(_ label: RecordLabel?) -> String { label?.rawValue ?? nothing }
}

extension Array where Element: Hashable {
  /// Returns the elements that `other` does not contain, counting repetitions.
  fileprivate func subtracting(_ other: [Element]) -> [Element] {
    var counts: [Element: Int] = [:]
    for element in other { counts[element, default: 0] += 1 }
    return filter { element in
      guard let count = counts[element], count > 0 else { return true }
      counts[element] = count - 1
      return false
    }
  }
}
