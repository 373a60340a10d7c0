import JSONTree
import ScenarioComparison
import ScenarioFormat
import ScenarioReport

/// A scenario that a command writes, as an author would write it.
struct ScenarioDraft: Sendable {
  /// The canned responses of an address.
  struct Address: Sendable {
    /// The address as written: `POST posts?draft=1`.
    var text: String
    var responses: [Response]
    /// A Boolean value that indicates whether the responses need not be requested.
    var isOptional = false
    /// The comment lines above the address.
    var comments: [String] = []
  }

  /// A canned response.
  enum Response: Sendable {
    /// The body, nil without one; the status; and the headers in their order.
    case answer(body: Body?, status: Int, headers: [(name: String, value: String)])
    case failure(ServerFailure)
  }

  /// The body of a response.
  enum Body: Sendable {
    /// The path of a file, relative to the scenario.
    case file(String)
    /// A body in the scenario.
    case json(JSONValue)
  }

  /// A step, with its keys in their order.
  struct Step: Sendable {
    var members: JSONObject
    /// The comment lines above the step.
    var comments: [String] = []
  }

  var title: String
  /// The path of the model file, relative to the scenario.
  var model: String
  /// The tables of an app's own store, in place of the model; nil for a scenario that runs on the engine.
  var tables: JSONObject?
  /// The comments on tables, by name.
  var tableComments: [String: String] = [:]
  var baseURL: String?
  /// The base URLs of entities with a server of their own.
  var servers: [(entity: String, baseURL: String)] = []
  /// The value of `paging`, and the reason for it.
  var paging: (rule: JSONValue, comment: String)?
  /// A Boolean value that indicates whether all steps report differences between the responses and the model.
  var reportsDrift = false
  var addresses: [Address] = []
  var steps: [Step] = []
  /// The comment lines at the start of the file.
  var header: [String] = []

  /// The text of the scenario file.
  var text: String {
    var comments = YAMLComments()
    comments.above = header
    var root: JSONObject = ["title": .string(title)]
    if let tables {
      root["tables"] = .object(tables)
      for (name, comment) in tableComments { comments[["tables", name]].above = [comment] }
    } else {
      root["model"] = .string(model)
    }
    if let baseURL { root["baseURL"] = .string(baseURL) }
    if !servers.isEmpty {
      root["servers"] = .object(JSONObject(servers.map { ($0.entity, .string($0.baseURL)) }))
    }
    if let paging {
      root["paging"] = paging.rule
      comments[["paging"]].above = [paging.comment]
    }
    if reportsDrift { root["options"] = ["drift": true] }
    var responses = JSONObject()
    for address in addresses {
      let values = address.responses.map { response -> JSONValue in
        guard address.isOptional, case .object(var members) = response.value else { return response.value }
        members["optional"] = true
        return .object(members)
      }
      responses[address.text] = values.count == 1 ? values[0] : .array(values)
      if !address.comments.isEmpty { comments[["responses", address.text]].above = address.comments }
    }
    root["responses"] = .object(responses)
    root["steps"] = .array(steps.map { .object($0.members) })
    for (index, step) in steps.enumerated() where !step.comments.isEmpty {
      comments[["steps", String(index)]].above = step.comments
    }
    for key in ["responses", "steps"] { comments[[key]].followsEmptyLine = true }
    return JSONValue.object(root).yamlText(comments: comments)
  }
}

extension ScenarioDraft {
  /// The line of output about a scenario that does not report drift.
  static let lineWithoutDrift =
    "drift: off; to record differences between the responses and the model, write 'options: {drift: true}' in the scenario"

  /// Replaces the paths of the model and of bodies by those that a function returns. Nil keeps a path.
  mutating func replacePaths(_ replacement: (String) -> String?) {
    model = replacement(model) ?? model
    for address in addresses.indices {
      for index in addresses[address].responses.indices {
        guard case .answer(.file(let path), let status, let headers) = addresses[address].responses[index],
          let other = replacement(path)
        else { continue }
        addresses[address].responses[index] = .answer(body: .file(other), status: status, headers: headers)
      }
    }
  }
}

extension ScenarioDraft.Response {
  fileprivate var value: JSONValue {
    switch self {
    case .failure(let failure): return .object(["error": .string(failure.rawValue)])
    case .answer(let body, let status, let headers):
      var members = JSONObject()
      switch body {
      case .file(let path): members["bodyFile"] = .string(path)
      case .json(let json): members["body"] = json
      case nil: break
      }
      // A response without a body needs a status.
      if status != 200 || body == nil { members["status"] = .number(JSONNumber(Int64(status))) }
      if !headers.isEmpty {
        members["headers"] = .object(JSONObject(headers.map { ($0.name, .string($0.value)) }))
      }
      return .object(members)
    }
  }
}
