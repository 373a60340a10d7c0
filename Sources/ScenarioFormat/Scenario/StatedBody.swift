import Foundation
package import JSONTree

/// The body of a request as a scenario states it, in a step, in the condition of a response, or in an expectation.
package enum StatedBody: Hashable, Sendable {
  /// Any JSON value, from `json:`.
  case json(JSONValue)
  /// The fields of a form as text, from `form:`.
  case form([String: String])
  /// Any other bytes, from `text:` or, in Base64, from `data:`.
  case data([UInt8])

  // Texts are compared by their Unicode scalars.

  package static func == (left: StatedBody, right: StatedBody) -> Bool {
    switch (left, right) {
    case (.json(let left), .json(let right)): left == right
    case (.form(let left), .form(let right)): haveSameScalars(left, right)
    case (.data(let left), .data(let right)): left == right
    case (.json, _), (.form, _), (.data, _): false
    }
  }

  /// The key of the body in scenarios and golden files.
  package var key: String {
    switch self {
    case .json: "json"
    case .form: "form"
    case .data(let bytes): Self.text(of: bytes) == nil ? "data" : "text"
    }
  }

  /// The value of the body in golden files. The fields of a form are sorted by name.
  package var value: JSONValue {
    switch self {
    case .json(let value): return value
    case .form(let fields):
      var members: JSONObject = [:]
      for (name, value) in fields.sorted(by: { scalarsPrecede($0.key, $1.key) }) {
        members[name] = .string(value)
      }
      return .object(members)
    case .data(let bytes):
      return .string(Self.text(of: bytes) ?? Data(bytes).base64EncodedString())
    }
  }

  /// Returns bytes as text; nil if they are not UTF-8, or contain a null character.
  private static func text(of bytes: [UInt8]) -> String? {
    bytes.contains(0) ? nil : String(bytes: bytes, encoding: .utf8)
  }

  /// The body as an author would write it on one line: `json {"name":"bug"}`.
  package var text: String { "\(key) \(value.compactText())" }
}
