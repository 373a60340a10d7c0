package import JSONTree
import RecordModel
import ScenarioComparison
package import ScenarioFormat
package import ScenarioRun

extension ScenarioDetails {
  /// Collects the details of a result. Parts that are too large are left out, and the details say so.
  ///
  /// - Parameters:
  ///   - executed: the run; nil if the scenario did not run.
  ///   - explained: the run with provenance; nil if there has been none.
  /// - Complexity: linear in the size of the result, apart from the layout of drawings.
  package init(
    of loaded: LoadedScenario, index: Int, outcome: ScenarioOutcome, executed: ExecutedScenario?,
    explained: ExecutedScenario?
  ) {
    var object = JSONFormObject()
    var texts = ShownTexts()
    var notes: [String] = []
    object.add("files", list: files(of: loaded, &texts))
    if let scenario = loaded.scenario {
      object.add("responses", list: responses(of: scenario, &texts))
      if let executed {
        let actual = ActualResult(
          name: scenario.name, title: scenario.title, model: scenario.model.schema, executed: executed)
        object.add("steps", list: StepDetails.forms(of: executed, scenario))
        GraphDetails(result: actual).add(to: &object, &notes)
        ProvenanceDetails(scenario: scenario, executed: executed, explained: explained).add(
          to: &object, &notes)
      }
    }
    object.add("differences", list: DifferenceDetails.forms(of: outcome, &notes))
    if texts.hasClipped {
      notes.append(
        "Only the first \(ValueText.grouped(ShownTexts.maximumSize >> 10)) KiB of a file or body are shown.")
    }
    object.add("notes", list: notes.map(JSONValue.string))
    self.init(index: index, texts: texts.shared, form: object.form)
  }
}

// MARK: Files and responses

/// The texts of a scenario. Larger ones are shared with other scenarios.
private struct ShownTexts {
  /// The maximum number of bytes that are shown of a text.
  static let maximumSize = 256 << 10
  /// The least number of bytes of a body that is shared. The digest of a smaller one would not be shorter.
  private static let minimumSharedSize = 128

  private(set) var shared: [SharedText] = []
  /// A Boolean value that indicates whether a text is not shown completely.
  private(set) var hasClipped = false

  mutating func text(of bytes: some Collection<UInt8>) -> String {
    guard bytes.count > Self.maximumSize else { return String(decoding: bytes, as: UTF8.self) }
    hasClipped = true
    return String(decoding: bytes.prefix(Self.maximumSize), as: UTF8.self) + "…"
  }

  /// Adds a text under one of two keys: the text itself, or its digest.
  mutating func add(_ bytes: some Collection<UInt8>, to object: inout JSONFormObject, as key: String) {
    let text = text(of: bytes)
    guard text.utf8.count >= Self.minimumSharedSize else { return object.add(key, text) }
    let new = SharedText(text)
    object.add("digest", new.digest)
    if !shared.contains(new) { shared.append(new) }
  }
}

/// Returns the files that a scenario was read from, and the golden file that it differs from.
private func files(of loaded: LoadedScenario, _ texts: inout ShownTexts) -> [JSONValue] {
  let models = Set(loaded.yamlFiles.map(\.path))
  var seen: Set<String> = []
  return loaded.sources.filter { seen.insert($0.path).inserted }.map { file in
    var object = JSONFormObject()
    object.add("path", file.path)
    if file.path == loaded.path {
      object.add("kind", "scenario")
      object.add("text", texts.text(of: file.bytes))
    } else {
      object.add("kind", models.contains(file.path) || file.path.hasSuffix("/contents") ? "model" : "body")
      texts.add(file.bytes, to: &object, as: "text")
    }
    return object.form
  }
}

private func responses(of scenario: Scenario, _ texts: inout ShownTexts) -> [JSONValue] {
  scenario.responses.flatMap { address in
    address.responses.map { response in
      var object = JSONFormObject()
      object.add("address", address.address.text)
      object.add("status", response.status)
      object.add("headers", list: ScenarioDetails.headers(response.headers))
      object.add("path", response.span.file.path)
      object.add("line", response.span.start.line)
      object.add("failure", response.failure?.description)
      if response.delay != .zero { object.add("delay", response.delay.goldenForm) }
      let conditions =
        (response.requiredBody.map { [$0.text] } ?? [])
        + response.requiredHeaders.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      if !conditions.isEmpty { object.add("requires", conditions.joined(separator: ", ")) }
      object.add("repeated", flag: response.isRepeated)
      object.add("optional", flag: response.isOptional)
      switch response.body {
      case .value(let value)?: texts.add(value.indentedText().utf8, to: &object, as: "body")
      case .bytes(let bytes)?: texts.add(bytes, to: &object, as: "body")
      case nil: break
      }
      return object.form
    }
  }
}

extension ScenarioDetails {
  /// Returns headers as pairs, sorted by name.
  package static func headers(_ headers: [String: String]) -> [JSONValue] {
    headers.sorted { $0.key < $1.key }.map { .array([.string($0.key), .string($0.value)]) }
  }
}
