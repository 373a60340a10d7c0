import JSONTree
import ScenarioFormat

/// The JSON Schema (draft-07) of scenario files, model files, the settings or the lines of adapters, for editors and
/// validators.
///
/// The schema accepts every file that `recordspec check` accepts. It refuses unknown keys, missing keys, and values of another
/// kind. Only `recordspec check` verifies names, predicates, paths and values against the model, because JSON Schema cannot
/// express them.
struct FormatSchema: Sendable {
  /// The files that a schema describes.
  enum File: String, CaseIterable, Sendable {
    case scenario, model, settings, adapter

    /// The files of scenarios, which 'recordspec init' writes schemas for.
    static let written: [File] = [.scenario, .model]
  }

  /// The schema. Its definitions have the names of the mappings of the format.
  let value: JSONValue

  init(of file: File) {
    switch file {
    case .scenario:
      self.init(
        FormatMapping.scenario, "RecordSpec scenario",
        description: "A model, the responses of a server, the requests of an app, and the expected records.")
    case .model:
      self.init(
        FormatMapping.modelFile, "RecordSpec model",
        description: "The entities, attributes and relationships of an app.")
    case .settings:
      self.init(
        FormatMapping.settings, "RecordSpec settings",
        description: "The settings of a project, in '\(ProjectSettings.fileName)'.")
    case .adapter: self.init(AdapterSchema.value)
    }
  }

  private init(_ value: JSONValue) { self.value = value }

  private init(_ root: FormatMapping, _ title: String, description: String) {
    var writer = SchemaWriter()
    var schema: JSONObject = [
      "$schema": "http://json-schema.org/draft-07/schema#", "title": .string(title),
      "description": .string(description),
    ]
    schema.merge(writer.object(root))
    schema["definitions"] = .object(writer.definitions)
    self.init(.object(schema))
  }

  /// The text of the schema, with sorted keys. It is the same in each run.
  var text: String { value.canonicalText() }
}
