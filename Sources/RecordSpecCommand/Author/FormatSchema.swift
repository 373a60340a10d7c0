import JSONTree
import ScenarioFormat

/// The JSON Schema (draft-07) of scenario files or model files, for editors and validators.
///
/// The schema accepts every file that `recordspec check` accepts. It refuses unknown keys, missing keys, and values of another
/// kind. Only `recordspec check` verifies names, predicates, paths and values against the model, because JSON Schema cannot
/// express them.
struct FormatSchema: Sendable {
  /// The files that a schema describes.
  enum File: String, CaseIterable, Sendable {
    case scenario, model
  }

  /// The schema. Its definitions have the names of the mappings of the format.
  let value: JSONValue

  init(of file: File) {
    let (root, title, description) =
      switch file {
      case .scenario:
        (
          FormatMapping.scenario, "RecordSpec scenario",
          "A model, the responses of a server, the requests of an app, and the expected records."
        )
      case .model:
        (FormatMapping.modelFile, "RecordSpec model", "The entities, attributes and relationships of an app.")
      }
    var writer = SchemaWriter()
    var schema: JSONObject = [
      "$schema": "http://json-schema.org/draft-07/schema#", "title": .string(title),
      "description": .string(description),
    ]
    schema.merge(writer.object(root))
    schema["definitions"] = .object(writer.definitions)
    value = .object(schema)
  }

  /// The text of the schema, with sorted keys. It is the same in each run.
  var text: String { value.canonicalText() }
}
