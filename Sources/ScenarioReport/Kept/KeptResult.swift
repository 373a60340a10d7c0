import JSONTree
package import RecordModel
import ScenarioComparison
package import ScenarioFormat
package import ScenarioRun

/// The result of a failed scenario, which is kept in a file. It has all graphs and steps of the run, the model, and the
/// digests of the files that the scenario was read from.
package struct KeptResult: Sendable {
  /// The name of the scenario, such as `identity/attribute-key`.
  package let name: String
  package let title: String
  /// The graphs and the steps. The findings, whose source locations may no longer exist, are missing.
  package let executed: ExecutedScenario
  private let keptModel: KeptModel
  package let inputs: [InputFile]
  /// A Boolean value that indicates whether the result met the expectations of the author.
  package let meetsExpectations: Bool
  /// A Boolean value that indicates whether Swift code of a test target took part, so that the command line cannot
  /// reproduce the result.
  package let usesSwiftCode: Bool

  /// The steps without records that the author does not expect, from 1. They are an objection to a new golden file.
  package let emptySteps: [Int]

  /// The explanations of the records.
  package enum Explanations: Sendable {
    case complete(KeptExplanations)
    /// The reason why there are none; nil if the run was not asked to keep them.
    case missing(reason: String?)
  }

  package var explanations = Explanations.missing(reason: nil)

  /// The folder of scenarios, relative to the folder from which the result was read; nil if the file does not name it.
  package private(set) var suite: String?

  /// The version of the format. A file with another version is not read.
  package static let version: Int64 = 1

  /// The structure of the model: entities, keys, types of attributes, and relationships.
  package var model: Schema { keptModel.schema }
  /// A Boolean value that indicates whether the scenario ran an app.
  package var ranApp: Bool { keptModel.isOfTables }

  /// The result as it can be shown.
  package var actual: ActualResult {
    ActualResult(name: name, title: title, model: model, executed: executed)
  }
}

extension KeptResult {
  /// Creates the result of a scenario that was run.
  ///
  /// - Parameters:
  ///   - inputs: the files that the scenario was read from.
  ///   - scenarios: the folder of scenarios.
  ///   - emptySteps: the steps without records that the author does not expect, from 1.
  ///   - explanations: the explanations of the records.
  package init(
    of scenario: Scenario, _ executed: ExecutedScenario, inputs: [SourceBytes], below scenarios: String,
    meetsExpectations: Bool, usesSwiftCode: Bool, emptySteps: [Int],
    explanations: Explanations = .missing(reason: nil)
  ) {
    name = scenario.name
    title = scenario.title
    self.executed = executed
    keptModel = KeptModel(scenario.model, isOfTables: scenario.tables != nil)
    var seen: Set<String> = []
    self.inputs = inputs.filter { seen.insert($0.path).inserted }.map { InputFile($0, below: scenarios) }
    self.meetsExpectations = meetsExpectations
    self.usesSwiftCode = usesSwiftCode
    self.emptySteps = emptySteps
    self.explanations = explanations
  }

  /// Returns the text of the file.
  ///
  /// - Parameter suite: the folder of scenarios, relative to the folder of kept results.
  package func text(ofSuite suite: String) -> String {
    var object = JSONFormObject()
    object.add("format", .number(JSONNumber(Self.version)))
    object.add("scenario", name)
    object.add("suite", suite)
    object.add("title", title)
    object.add("meetsExpectations", flag: meetsExpectations)
    object.add("usesSwiftCode", flag: usesSwiftCode)
    object.add("emptySteps", list: emptySteps.map { .number(JSONNumber(Int64($0))) })
    object.add(
      "inputs", .array(inputs.map { ["digest": .string($0.digest), "path": .string($0.path)] }))
    object.add("model", keptModel.form)
    var before = GraphSnapshot()
    let graphs = executed.graphs.map { graph in
      defer { before = graph }
      return graph.keptForm(after: before)
    }
    object.add("graphs", .array(graphs))
    object.add("steps", list: executed.snapshot.steps.map(\.keptForm))
    switch explanations {
    case .complete(let explanations): object.add("explanations", explanations.keptForm)
    case .missing(let reason): object.add("unexplained", reason)
    }
    object.add(
      "breakage",
      executed.breakage.map { ["advice": .string($0.advice), "message": .string($0.message)] })
    return object.form.compactText() + "\n"
  }

  /// An error that indicates that a file is not a kept result of this format.
  package struct Unreadable: Error {
    package let message: String
  }

  /// The first facts about a file, which is possibly damaged or of another version.
  struct Header {
    /// The folder of scenarios, relative to the folder of kept results; nil if the file does not name it.
    let suite: String?
    let usesSwiftCode: Bool

    /// Creates the header of a file; nil if the file is not a kept result.
    init?(of bytes: [UInt8]) {
      guard let root = try? KeptResult.root(of: bytes) else { return nil }
      suite = root["suite"]?.string
      usesSwiftCode = root["usesSwiftCode"]?.boolean ?? false
    }
  }

  /// Returns the object of a kept result of any version.
  private static func root(of bytes: [UInt8]) throws(Unreadable) -> JSONNode {
    let root: JSONNode
    do {
      root = try JSONDocument(parsing: bytes, maximumDepth: maximumDepth).root
    } catch {
      throw Unreadable(message: "is not a kept result: it is not valid JSON")
    }
    guard root["format"] != nil, root["scenario"] != nil else {
      throw Unreadable(message: "is not a kept result")
    }
    return root
  }

  /// Reads the text of a file. Linear in the number of bytes.
  package init(parsing bytes: [UInt8]) throws(Unreadable) {
    let root = JSONForm(try Self.root(of: bytes).value)
    guard let version = root.optional("format"), (try? version.integer()) == Self.version else {
      let text = root.value["format"]?.compactText() ?? ""
      throw Unreadable(message: "has the format \(text) of another version of recordspec")
    }
    do throws(JSONForm.Damaged) {
      try self.init(kept: root)
    } catch {
      throw Unreadable(message: "is damaged: expected \(error.expected) at '\(error.pointer)'")
    }
  }

  /// The maximum nesting depth: that of a response, and the levels around it.
  private static let maximumDepth = 600

  private init(kept form: JSONForm) throws(JSONForm.Damaged) {
    name = try form.required("scenario").string()
    title = try form.required("title").string()
    meetsExpectations = try form.optional("meetsExpectations")?.boolean() ?? false
    usesSwiftCode = try form.optional("usesSwiftCode")?.boolean() ?? false
    emptySteps =
      try form.optional("emptySteps")?.elements { form throws(JSONForm.Damaged) in try form.count() } ?? []
    inputs = try form.required("inputs").elements { form throws(JSONForm.Damaged) in
      InputFile(path: try form.required("path").string(), digest: try form.required("digest").string())
    }
    keptModel = try KeptModel(kept: try form.required("model"))
    var graphs: [GraphSnapshot] = []
    for form in try form.required("graphs").elements({ $0 }) {
      graphs.append(try GraphSnapshot(kept: form, after: graphs.last ?? GraphSnapshot()))
    }
    let steps = try form.optional("steps")?.elements(StepSnapshot.init(kept:)) ?? []
    var executed = ExecutedScenario(
      snapshot: ScenarioSnapshot(graph: graphs.last ?? GraphSnapshot(), steps: steps), graphs: graphs)
    if let breakage = form.optional("breakage") {
      executed.breakage = Breakage(
        try breakage.required("message").string(), advice: try breakage.required("advice").string())
    }
    self.executed = executed
    suite = try form.optional("suite")?.string()
    explanations = .missing(reason: try form.optional("unexplained")?.string())
    if let form = form.optional("explanations") {
      explanations = .complete(
        try KeptExplanations(kept: form, graphs: executed.graphs, model: keptModel.schema))
    }
  }
}

extension KeptResult {
  /// The files that have changed since the scenario was run, with what happened to them: `'a.yaml' has changed`.
  package func changedInputs(below scenarios: String) -> [String] {
    inputs.compactMap { input in
      let path = input.displayedPath(below: scenarios)
      return switch input.state(below: scenarios) {
      case .same: nil
      case .changed: "'\(path)' has changed"
      case .removed: "'\(path)' has been removed"
      case .unreadable(let problem): problem.message
      }
    }
  }
}
