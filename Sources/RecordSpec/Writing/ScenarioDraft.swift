package import JSONTree

/// A scenario that a command writes, as an author would write it.
package struct ScenarioDraft: Sendable {
  /// The canned responses of an address.
  package struct Address: Sendable {
    /// The address as written: `POST posts?draft=1`.
    package var text: String
    package var responses: [Response]
    /// The comment lines above the address.
    package var comments: [String] = []

    package init(_ text: String, responses: [Response], comments: [String] = []) {
      (self.text, self.responses, self.comments) = (text, responses, comments)
    }
  }

  /// A canned response.
  package enum Response: Sendable {
    /// The path of the file with the body, nil without a body; the status; and the headers in their order.
    case answer(bodyFile: String?, status: Int, headers: [(name: String, value: String)])
    case failure(ServerFailure)
  }

  /// A step, with its keys in their order.
  package struct Step: Sendable {
    package var members: JSONObject
    /// The comment lines above the step.
    package var comments: [String] = []

    package init(_ members: JSONObject, comments: [String] = []) {
      (self.members, self.comments) = (members, comments)
    }
  }

  package var title: String
  /// The path of the model file, relative to the scenario.
  package var model: String
  package var baseURL: String?
  /// The base URLs of entities with a server of their own.
  package var servers: [(entity: String, baseURL: String)] = []
  /// The value of `paging`, and the reason for it.
  package var paging: (rule: JSONValue, comment: String)?
  /// A Boolean value that indicates whether all steps report differences between the responses and the model.
  package var reportsDrift = false
  package var addresses: [Address] = []
  package var steps: [Step] = []
  /// The comment lines at the start of the file.
  package var header: [String] = []

  package init(title: String, model: String) { (self.title, self.model) = (title, model) }

  /// The text of the scenario file.
  package var text: String {
    var comments = YAMLComments()
    comments.above = header
    var root: JSONObject = ["title": .string(title), "model": .string(model)]
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
      let values = address.responses.map(\.value)
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

extension ScenarioDraft.Response {
  fileprivate var value: JSONValue {
    switch self {
    case .failure(let failure): return .object(["error": .string(failure.rawValue)])
    case .answer(let bodyFile, let status, let headers):
      var members = JSONObject()
      if let bodyFile { members["bodyFile"] = .string(bodyFile) }
      // A response without a body needs a status.
      if status != 200 || bodyFile == nil { members["status"] = .number(JSONNumber(Int64(status))) }
      if !headers.isEmpty {
        members["headers"] = .object(JSONObject(headers.map { ($0.name, .string($0.value)) }))
      }
      return .object(members)
    }
  }
}
