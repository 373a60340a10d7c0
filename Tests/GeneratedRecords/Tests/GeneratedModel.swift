import Foundation
import GeneratedLibrary
import GeneratedNames
import JSONTree
import RecordEngine
import RecordModel

/// A model of the tests, and the record types that are generated from it.
enum GeneratedModel: Swift.String, CaseIterable, Sendable {
  case books, library, names

  /// The folder of the tests and of the generated files.
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

  /// The model file and the scenario.
  static let scenarios = folder.appending(path: "Conformance/Scenarios")
  var model: URL { GeneratedModel.scenarios.appending(path: "_models/\(rawValue).model.yaml") }

  /// The generated file, and the access level of its record types.
  var file: (url: URL, access: Swift.String) {
    switch self {
    case .books: (GeneratedModel.folder.appending(path: "Tests/Books.swift"), "internal")
    case .library: (GeneratedModel.folder.appending(path: "Library/Library.swift"), "public")
    case .names: (GeneratedModel.folder.appending(path: "Names/Names.swift"), "package")
    }
  }

  /// The compiled record types of the generated file.
  var recordTypes: [RecordEngine.Record.Type] {
    switch self {
    case .books: .books
    case .library: .library
    case .names: .names
    }
  }
}
