import JSONTree
import ScenarioFormat

/// The files with the bodies of responses, after another session has replaced some of them.
///
/// Responses with equal bodies share a file. If their new bodies differ, the first one keeps the file, and the others get new
/// ones.
struct UpdatedBodies {
  /// The contents of the existing files, by path.
  private var contents: [String: JSONValue] = [:]
  /// The names of the new files in scenarios, by the folder of the scenario and the contents.
  private var added: [String: [JSONValue: String]] = [:]
  /// The files that change, and the new ones.
  private(set) var files: [(path: String, bytes: [UInt8])] = []
  /// The paths of existing files that responses still name.
  private var used: Set<String> = []
  private var addedPaths: Set<String> = []

  /// Sets the new contents of the file of a response, unless another response has set them.
  mutating func claim(_ response: RecordedResponse, _ json: JSONValue) {
    guard let path = response.bodyPath, contents[path] == nil else { return }
    contents[path] = json
    if json != response.json { write(json, path) }
  }

  private mutating func write(_ json: JSONValue, _ path: String) {
    files.append((path, Array(json.indentedText().utf8)))
  }

  /// Keeps the file of a response that is not replaced.
  mutating func keep(_ response: RecordedResponse) { if let path = response.bodyPath { used.insert(path) } }

  /// Returns the name of a file with a body, relative to the scenario. The file of the response is used if it has this body.
  ///
  /// - Parameter url: the URL of the request, from which the name of a new file is derived.
  mutating func name(of json: JSONValue, for response: RecordedResponse, url: String, scenario: String)
    -> String
  {
    let former = response.node["bodyFile"]?.scalar?.text
    if let former, let path = response.bodyPath, contents[path] == json {
      used.insert(path)
      return former
    }
    let scenarioFolder = FilePath.folder(of: scenario)
    if let known = added[scenarioFolder]?[json] { return known }
    var stem = FilePath.name(of: scenario)
    for suffix in [".yaml", ".yml"] where stem.hasSuffix(suffix) { stem.removeLast(suffix.count) }
    let folder = former.map(FilePath.folder) ?? "_recordings/" + stem
    var number = added[scenarioFolder, default: [:]].count + contents.count + 1
    var (name, path) = ("", "")
    repeat {
      name = FilePath.child(ImportedScenario.fileName(of: url, number: number), of: folder)
      path = FilePath.simplified(FileAccess.path(of: name, namedIn: scenario))
      number += 1
    } while addedPaths.contains(path) || FileAccess.exists(path)
    addedPaths.insert(path)
    added[scenarioFolder, default: [:]][json] = name
    write(json, path)
    return name
  }

  /// The existing files that no response names anymore, sorted.
  var unused: [String] { Set(contents.keys).subtracting(used).sorted(by: scalarsPrecede) }
}
