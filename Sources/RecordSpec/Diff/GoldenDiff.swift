internal import JSONTree
internal import OrderedCollections
package import RecordModel

/// Compares what a golden file says with what came out: record by record and value by value, never as text.
/// Linear in records and links; see `RecordPairing`.
package struct GoldenDiff {
  private let recorded: RecordedContent
  private let actual: ScenarioSnapshot
  private let actualContent: RecordedContent
  private let model: Schema
  private let place: Difference.Place
  private let pairing: RecordPairing
  private var differences = Differences()

  /// The differences in the order of the labels, then of the steps.
  ///
  /// - Parameter path: the golden file, as the user would type it.
  package static func differences(
    recorded: RecordedContent, actual: ScenarioSnapshot, model: Schema, path: String
  ) -> Differences {
    var diff = GoldenDiff(recorded: recorded, actual: actual, model: model, path: path)
    diff.compareGraph()
    diff.compareSteps()
    return diff.differences
  }

  private init(recorded: RecordedContent, actual: ScenarioSnapshot, model: Schema, path: String) {
    self.recorded = recorded
    self.actual = actual
    self.model = model
    place = .golden(path)
    actualContent = RecordedContent(actual)
    pairing = RecordPairing(recorded: recorded, actual: actualContent, model: model)
  }

  private func translated(_ label: RecordLabel) -> RecordLabel { pairing.translation[label] ?? label }
}

// The graph
extension GoldenDiff {
  private mutating func compareGraph() {
    for label in pairing.missing {
      differences.append(
        Difference(
          .missing, at: place, record: label,
          expected: recorded.records[label].map { text(of: $0.properties) }, actual: ValueText.nothing))
    }
    for label in pairing.extra {
      differences.append(
        Difference(
          .extra, at: place, record: label, expected: ValueText.nothing,
          actual: actualContent.records[label].map { text(of: $0.properties) }))
    }
    for (label, found) in pairing.duplicated {
      differences.append(
        Difference(
          .duplicated, at: place, record: label, expected: "one record",
          actual: ValueText.clipped("\(found.count) records: \(ValueText.of(found))")))
    }
    for (label, actual) in pairing.pairs { compareRecord(label, actual) }
  }

  private mutating func compareRecord(_ label: RecordLabel, _ actualLabel: RecordLabel) {
    guard let record = recorded.records[label], let actual = actual.graph[actualLabel] else { return }
    if record.entity != actual.entity {
      differences.append(
        Difference(
          .changed, at: place, record: actualLabel, expected: "entity \(record.entity)",
          actual: "entity \(actual.entity)"))
    }
    for name in Set(record.properties.keys).union(actual.properties.keys).sorted() {
      let value = record.properties[name]
      let property = actual.properties[name]
      if model.relationship(name, of: actual.entity) != nil, let members = members(value) {
        compareLinks(members, isList: value?.kind == .array, property, name, actualLabel)
      } else if value != property?.goldenForm {
        appendChange(
          record: actualLabel, name.rawValue,
          ValueText.of(value, type: model.attribute(name, of: actual.entity)?.type), ValueText.of(property))
      }
    }
  }

  /// The labels a relationship was recorded with; nil if what stands there can be none.
  private func members(_ value: JSONValue?) -> [RecordLabel]? {
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
          .dangling, at: place, record: label, property: name.rawValue, expected: first.rawValue,
          note: "the golden file has no such record"))
      return
    }
    let expected = members.map(translated)
    let links = property?.links ?? []
    switch property {
    case .toMany(_, let isOrdered)? where isList:
      compareLists(expected, links, of: "records", isOrdered: isOrdered, record: label, name.rawValue) {
        $0.rawValue
      }
    case .toOne? where !isList, nil:
      guard expected != links else { return }
      appendChange(
        record: label, name.rawValue, isList ? ValueText.of(members) : ValueText.of(members.first),
        ValueText.of(property))
    default:
      appendChange(
        record: label, name.rawValue, isList ? ValueText.of(members) : ValueText.of(members.first),
        ValueText.of(property), note: "one is a list, the other is not")
    }
  }

  private func text(of properties: [PropertyName: JSONValue]) -> String {
    let members = properties.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.compactText())" }
    return ValueText.clipped("{" + members.joined(separator: ", ") + "}")
  }
}

// The steps
extension GoldenDiff {
  private mutating func compareSteps() {
    for (index, step) in actualContent.steps.enumerated().dropFirst(recorded.steps.count) {
      differences.append(
        Difference(
          .extra, at: place, step: index + 1, expected: ValueText.nothing,
          actual: ValueText.clipped(JSONValue.object(step).compactText())))
    }
    for (index, step) in recorded.steps.enumerated() {
      if index < actualContent.steps.count {
        compareStep(index + 1, step, actualContent.steps[index])
      } else {
        differences.append(
          Difference(
            .missing, at: place, step: index + 1,
            expected: ValueText.clipped(JSONValue.object(step).compactText()), actual: ValueText.nothing))
      }
    }
  }

  private mutating func compareStep(
    _ number: Int, _ recorded: OrderedDictionary<String, JSONValue>,
    _ actual: OrderedDictionary<String, JSONValue>
  ) {
    for field in recorded.keys.union(actual.keys) {
      let (value, other) = (recorded[field], actual[field])
      switch field {
      case "stored", "records", "inserted", "deleted":
        compareLists(
          (members(value) ?? []).map(translated), members(other) ?? [], of: "records",
          isOrdered: field == "stored" || field == "records", step: number, field
        ) { $0.rawValue }
      case "batch" where elements(value).count == elements(other).count:
        for case (.object(let value), .object(let other)) in zip(elements(value), elements(other)) {
          compareStep(number, value, other)
        }
      case "diagnostics":
        compareLists(
          elements(value), elements(other), of: "diagnostics", isOrdered: true, step: number, field
        ) { ValueText.ofDiagnostic($0) }
      case "requests" where value != other:
        // Where there are none, the step is all that was asked.
        guard value != nil, other != nil else {
          appendChange(step: number, field, requests(value), requests(other))
          continue
        }
        compareLists(
          elements(value), elements(other), of: "requests", isOrdered: true, step: number, field
        ) { ValueText.ofRequest($0) }
      case "updated": compareUpdates(number, value, other)
      // Whether anybody asked is a difference, too.
      case "drift" where value != nil && other != nil:
        compareLists(
          driftLines(value), driftLines(other), of: "lines", isOrdered: false, step: number, field
        ) { $0 }
      default:
        if value != other {
          appendChange(step: number, field, ValueText.of(value), ValueText.of(other))
        }
      }
    }
  }

  private func requests(_ value: JSONValue?) -> String {
    guard value != nil else { return "what the step says" }
    return "[" + elements(value).map(ValueText.ofRequest).joined(separator: ", ") + "]"
  }

  /// A line for each point of a report on drift: `Post unused age {"count":2,…}`.
  private func driftLines(_ value: JSONValue?) -> [String] {
    members(of: value).flatMap { entity, drift in
      members(of: drift).flatMap { field, value -> [String] in
        if case .object(let members) = value {
          return members.map { "\(entity) \(field) \($0) \($1.compactText())" }
        }
        return elements(value).isEmpty
          ? ["\(entity) \(field) \(value.compactText())"]
          : elements(value).map { "\(entity) \(field) \($0.compactText())" }
      }
    }
  }

  private func members(of value: JSONValue?) -> OrderedDictionary<String, JSONValue> {
    if case .object(let members)? = value { members } else { [:] }
  }

  private func elements(_ value: JSONValue?) -> [JSONValue] {
    if case .array(let elements)? = value { elements } else { [] }
  }

  private mutating func compareUpdates(_ number: Int, _ recorded: JSONValue?, _ actual: JSONValue?) {
    let expected = updates(recorded) { translated($0) }
    let found = updates(actual) { $0 }
    for label in Set(expected.keys).union(found.keys).sorted() where expected[label] != found[label] {
      differences.append(
        Difference(
          .changed, at: place, step: number, record: label, property: "updated",
          expected: expected[label].map { "[" + $0.joined(separator: ", ") + "]" } ?? "not updated",
          actual: found[label].map { "[" + $0.joined(separator: ", ") + "]" } ?? "not updated"))
    }
  }

  private func updates(
    _ value: JSONValue?, named name: (RecordLabel) -> RecordLabel
  ) -> [RecordLabel: [String]] {
    guard case .object(let members)? = value else { return [:] }
    var updates: [RecordLabel: [String]] = [:]
    for (label, names) in members {
      updates[name(RecordLabel(label))] = self.members(names)?.map(\.rawValue) ?? []
    }
    return updates
  }
}

// Values
extension GoldenDiff {
  /// Names the entries that one list has and the other has not; where there are none, their order differs.
  private mutating func compareLists<Entry: Hashable>(
    _ expected: [Entry], _ actual: [Entry], of entries: String, isOrdered: Bool, record: RecordLabel? = nil,
    step: Int? = nil, _ name: String, text: (Entry) -> String
  ) {
    let lost = expected.subtracting(actual)
    let new = actual.subtracting(expected)
    guard lost.isEmpty, new.isEmpty else {
      let kind: Difference.Kind = new.isEmpty ? .missing : lost.isEmpty ? .extra : .changed
      differences.append(
        Difference(
          kind, at: place, step: step, record: record, property: name, missing: lost.map(text),
          extra: new.map(text)))
      return
    }
    guard isOrdered, expected != actual else { return }
    let (left, right) = ValueText.clipped(
      "[" + expected.map(text).joined(separator: ", ") + "]",
      "[" + actual.map(text).joined(separator: ", ") + "]")
    differences.append(
      Difference(
        .order, at: place, step: step, record: record, property: name, expected: left, actual: right,
        note: "the same \(entries) in another order"))
  }

  private mutating func appendChange(
    record: RecordLabel? = nil, step: Int? = nil, _ name: String, _ expected: String, _ actual: String,
    note: String? = nil
  ) {
    let (left, right) = ValueText.clipped(expected, actual)
    differences.append(
      Difference(
        .changed, at: place, step: step, record: record, property: name, expected: left, actual: right,
        note: note))
  }
}

extension ValueText {
  fileprivate static func of(_ label: RecordLabel?) -> String { label?.rawValue ?? nothing }
}

extension Array where Element: Hashable {
  /// The elements that `other` has not got, counting repeats.
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
