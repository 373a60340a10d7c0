import ScenarioFormat

/// The JSON Schema of the files of a suite, as a file that editors find through the first comments of a scenario or model.
struct EditorSchema {
  let described: FormatSchema.File
  /// The folder of scenarios.
  let suite: String

  init(of described: FormatSchema.File, in suite: String) {
    self.described = described
    self.suite = suite
  }

  /// The name of the file in the folder of scenarios.
  var fileName: String { "\(described.rawValue).schema.json" }
  /// The path of the file in the folder of scenarios.
  var path: String { FilePath.child(fileName, of: suite) }
  var text: String { FormatSchema(of: described).text }
  var exists: Bool { FileAccess.kind(of: path) == .file }

  /// Returns the first comments of a file in a folder, for the YAML language server and for JetBrains.
  func comments(in folder: String) -> [String] {
    let relative = FileAccess.relative(path, to: folder)
    return ["yaml-language-server: $schema=\(relative)", "$schema: \(relative)"]
  }
}
