import Foundation
import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioRun

/// A message to an adapter, without its number.
enum AdapterMessage: Sendable {
  case hello
  case open(scenario: String, baseURL: String, now: Date, folder: String)
  case call(String, arguments: JSONValue?)
  case reopen
  case advance(now: Date)
  case dump
  case close

  /// The version of the protocol.
  static let protocolVersion = 1

  /// The command, with the name of an action: `call refresh`.
  var words: String {
    if case .call(let action, _) = self { "call \(action)" } else { name }
  }

  private var name: String {
    switch self {
    case .hello: "hello"
    case .open: "open"
    case .call: "call"
    case .reopen: "reopen"
    case .advance: "advance"
    case .dump: "dump"
    case .close: "close"
    }
  }

  /// The line of the message.
  func line(numbered number: Int) -> [UInt8] {
    var members: JSONObject = ["seq": .number(JSONNumber(Int64(number))), "cmd": .string(name)]
    switch self {
    case .hello: members["protocol"] = .number(JSONNumber(Int64(Self.protocolVersion)))
    case .open(let scenario, let baseURL, let now, let folder):
      members["scenario"] = .string(scenario)
      members["baseURL"] = .string(baseURL)
      members["now"] = .string(rfc3339Text(now))
      members["folder"] = .string(folder)
    case .call(let action, let arguments):
      members["name"] = .string(action)
      members["with"] = arguments
    case .advance(let now): members["now"] = .string(rfc3339Text(now))
    case .reopen, .dump, .close: break
    }
    return Array(JSONValue.object(members).compactText().utf8)
  }
}

/// The answer of an adapter.
struct AdapterAnswer: Sendable {
  private let members: JSONObject

  /// Reads an answer.
  ///
  /// - Throws: a breakage if the line is not the answer to the message with the number.
  init(_ line: [UInt8], to message: AdapterMessage, numbered number: Int) throws(Breakage) {
    guard case .object(let members)? = (try? JSONDocument(parsing: line))?.root.value else {
      throw .invalidAnswer(
        "the adapter answered '\(message.words)' with a line that is not a JSON object: \(Self.text(line))")
    }
    guard members["seq"] == .number(JSONNumber(Int64(number))) else {
      throw .invalidAnswer(
        "the answer to '\(message.words)' has \(members["seq"].map { "'seq' \($0.compactText())" } ?? "no 'seq'"), not \(number)"
      )
    }
    if case .string(let error)? = members["error"] {
      throw Breakage(
        "the adapter failed in '\(message.words)': \(error)",
        advice: "the adapter or the app raised an error that is not answered as a 'failure'")
    }
    for key in ["error", "failure"] {
      guard let value = members[key], value != .null else { continue }
      if case .string = value, members["ok"] == nil { continue }
      throw .invalidAnswer(
        "the '\(key)' in the answer to '\(message.words)' must be a text, without '\"ok\"': \(ValueText.clipped(value.compactText(), to: 80))"
      )
    }
    self.members = members
  }

  private static func text(_ line: [UInt8]) -> String {
    ValueText.clipped(String(decoding: line.prefix(500), as: UTF8.self), to: 80)
  }

  subscript(key: String) -> JSONValue? { members[key] }

  func text(_ key: String) -> String? {
    if case .string(let text)? = members[key] { text } else { nil }
  }

  /// Returns a list of texts; nil for another value.
  func texts(_ key: String) -> [String]? {
    guard case .array(let elements)? = members[key] else { return nil }
    let texts = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    return texts.count == elements.count ? texts : nil
  }

  /// Checks that the answer has `"ok": true`.
  func requireSuccess(of message: AdapterMessage) throws(Breakage) {
    guard members["ok"] == .boolean(true) else {
      throw .invalidAnswer(
        "the answer to '\(message.words)' has neither '\"ok\": true' nor \(isCall(message) ? "'failure' nor " : "")'error'"
      )
    }
  }

  private func isCall(_ message: AdapterMessage) -> Bool { if case .call = message { true } else { false } }

  /// The rows of a `dump`.
  func dump() throws(Breakage) -> TableDump {
    var dump = try text("sqlite").map(SQLiteDump.read) ?? TableDump()
    guard case .object(let tables)? = members["tables"] else {
      if members["sqlite"] != nil, members["tables"] == nil { return dump }
      throw .invalidAnswer("the answer to 'dump' has neither 'tables' nor 'sqlite'")
    }
    for (name, value) in tables {
      guard case .array(let rows) = value else {
        throw .invalidAnswer("the table '\(name)' in the answer to 'dump' is not a list of rows")
      }
      var objects: [JSONObject] = []
      for row in rows {
        guard case .object(let columns) = row else {
          throw .invalidAnswer(
            "a row of '\(name)' is not an object: \(ValueText.clipped(row.compactText(), to: 80))")
        }
        objects.append(columns)
      }
      guard !dump.tables.contains(where: { $0.name == EntityName(name) }) else {
        throw .invalidAnswer(
          "the table '\(name)' is both in the file and in 'tables' of the answer to 'dump'")
      }
      dump.tables.append(TableDump.Table(EntityName(name), rows: objects))
    }
    return dump
  }
}

extension Breakage {
  static func invalidAnswer(_ message: String) -> Breakage {
    Breakage(message, advice: "'recordspec schema adapter' prints the form of messages and answers")
  }
}
