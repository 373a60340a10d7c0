import JSONTree
import RecordModel
import ScenarioFormat

// Steps
extension GoldenDiff {
  mutating func compareDrift(_ pairing: StepPairing) {
    for (index, other) in pairing.pairs {
      compareDrift(other + 1, recorded.steps[index]["drift"], actualContent.steps[other]["drift"])
    }
  }

  mutating func compareSteps(_ pairing: StepPairing) {
    for index in pairing.gone {
      differences.append(
        Difference(.missing, at: location, step: index + 1, expected: Self.text(of: recorded.steps[index])))
    }
    for index in pairing.new {
      differences.append(
        Difference(.extra, at: location, step: index + 1, actual: Self.text(of: actualContent.steps[index])))
    }
    for (index, other) in pairing.pairs {
      compareStep(
        other + 1, recorded.steps[index], actualContent.steps[other], actual.steps[other], besides: "drift")
    }
  }

  private static func text(of step: StepPairing.Step) -> String {
    ValueText.clipped(JSONValue.object(step).compactText())
  }

  /// Compares a step.
  ///
  /// - Parameters:
  ///   - snapshot: the actual step, including the fields that golden files omit.
  ///   - compared: the field that has already been compared.
  private mutating func compareStep(
    _ number: Int, _ recorded: StepPairing.Step, _ actual: StepPairing.Step, _ snapshot: StepSnapshot,
    besides compared: String? = nil
  ) {
    for field in recorded.keys + actual.keys.filter({ recorded[$0] == nil }) where field != compared {
      let (value, other) = (recorded[field], actual[field])
      switch field {
      case "stored", "records", "inserted", "deleted":
        compareLists(
          comparable((members(value) ?? []).map(translated)), comparable(members(other) ?? []), of: "records",
          isOrdered: field == "stored" || field == "records", step: number, field
        ) { $0.rawValue }
      case "batch" where value != nil && other != nil:
        compareBatches(number, elements(value), elements(other), snapshot.batch)
      case "diagnostics":
        let texts = Dictionary(
          snapshot.diagnostics.map { ($0.goldenForm, ValueText.of($0)) },
          uniquingKeysWith: { first, _ in first })
        compareLists(
          elements(value), elements(other), of: "diagnostics", isOrdered: true, step: number, field,
          text: ValueText.ofDiagnostic, extraText: { texts[$0] ?? ValueText.ofDiagnostic($0) })
      case "requests" where value != other:
        // A step without `requests` has sent exactly the requests that it states.
        let stated = JSONValue.array(snapshot.statedRequests.map(\.goldenForm))
        let redirects = Dictionary(
          snapshot.requests.compactMap { request in
            request.redirectedFrom.map { (request.goldenForm, $0) }
          },
          uniquingKeysWith: { first, _ in first })
        compareLists(
          elements(value ?? stated), elements(other ?? stated), of: "requests", isOrdered: true, step: number,
          field, text: ValueText.ofRequest,
          extraText: { request in
            ValueText.ofRequest(request) + (redirects[request].map { ", redirected from \($0)" } ?? "")
          })
      case "updated": compareUpdates(number, value, other)
      case "drift": compareDrift(number, value, other)
      default:
        if value != other {
          appendChange(step: number, field, ValueText.of(value), ValueText.of(other))
        }
      }
    }
  }

  private mutating func compareBatches(
    _ number: Int, _ recorded: [JSONValue], _ actual: [JSONValue], _ snapshots: [StepSnapshot]
  ) {
    let (recorded, actual) = (recorded.map { members(of: $0) }, actual.map { members(of: $0) })
    let pairing = StepPairing(recorded: recorded, actual: actual)
    let gone = pairing.gone.map { Self.text(of: recorded[$0]) }
    let new = pairing.new.map { Self.text(of: actual[$0]) }
    if !gone.isEmpty || !new.isEmpty {
      differences.append(
        Difference(
          new.isEmpty ? .missing : gone.isEmpty ? .extra : .changed, at: location, step: number,
          property: "batch", missing: gone, extra: new))
    }
    for (index, other) in pairing.pairs {
      let before = differences
      differences = Differences()
      compareStep(number, recorded[index], actual[other], snapshots[other])
      let found = differences.ofRequest(other + 1)
      differences = before
      differences.append(contentsOf: found)
    }
  }

  /// Compares the drift reports entity by entity and entry by entry.
  private mutating func compareDrift(_ number: Int, _ recorded: JSONValue?, _ actual: JSONValue?) {
    func text(_ report: JSONValue?) -> String { report == nil ? ValueText.nothing : "a drift report" }
    if (recorded == nil) != (actual == nil) {
      appendChange(step: number, "drift", text(recorded), text(actual))
    }
    let (expected, found) = (members(of: recorded), members(of: actual))
    for entity in Set(expected.keys).union(found.keys).sorted(by: scalarsPrecede) {
      let (old, new) = (members(of: expected[entity]), members(of: found[entity]))
      let writer = DriftLines(entity: EntityName(entity), model: model)
      let countsItems = !old.isEmpty && !new.isEmpty
      var (lines, others) = (
        writer.lines(of: old, countsItems: countsItems), writer.lines(of: new, countsItems: countsItems)
      )
      if old["items"] != new["items"] {
        // With more or fewer items of the same form, the number of items is the only difference.
        let same = Set(lines.map(\.relativeText)).intersection(others.map(\.relativeText))
        lines.removeAll { same.contains($0.relativeText) }
        others.removeAll { same.contains($0.relativeText) }
      }
      // The model may have changed since the lines were recorded, so it describes only the actual ones.
      let described = Dictionary(
        others.map { ($0.text, $0.describedText) }, uniquingKeysWith: { first, _ in first })
      compareLists(
        lines.map(\.text), others.map(\.text), of: "entries", isOrdered: false, step: number,
        "drift of \(entity)", isAboutDrift: true, text: { $0 }, extraText: { described[$0] ?? $0 })
    }
  }

  private func members(of value: JSONValue?) -> JSONObject {
    if case .object(let members)? = value { members } else { [:] }
  }

  private func elements(_ value: JSONValue?) -> [JSONValue] {
    if case .array(let elements)? = value { elements } else { [] }
  }

  private mutating func compareUpdates(_ number: Int, _ recorded: JSONValue?, _ actual: JSONValue?) {
    let expected = updates(recorded) { translated($0) }
    let found = updates(actual) { $0 }
    for label in Set(expected.keys).union(found.keys).sorted()
    where expected[label] != found[label] && !comparable([label]).isEmpty {
      differences.append(
        Difference(
          .changed, at: location, step: number, record: label, property: "updated",
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
