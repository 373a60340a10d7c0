public import Foundation
public import JSONTree

/// The body of a request. Rule: `request.body`.
public enum RequestBody: Sendable {
  /// A JSON value of any shape, with the media type `application/json`.
  case json(JSONValue)
  /// The fields of a form, with the media type `application/x-www-form-urlencoded`. They are sent in the order of their
  /// names.
  case form([String: String])
  /// Bytes that are sent unchanged, with their media type, such as `image/png`.
  case data(Data, contentType: String)

  /// The media type of the body, for the `Content-Type` header.
  public var contentType: String {
    switch self {
    case .json: "application/json"
    case .form: "application/x-www-form-urlencoded"
    case .data(_, let contentType): contentType
    }
  }

  /// The bytes of the body as they are sent.
  ///
  /// - Complexity: O(*n*) for each access, where *n* is the size of the body.
  public var encoded: Data {
    switch self {
    case .json(let value): Data(value.compactText().utf8)
    case .form(let fields):
      Data(
        fields.sorted { $0.key < $1.key }
          .map { WebAddress.Parameter(name: $0.key, value: $0.value).text }
          .joined(separator: "&").utf8)
    case .data(let data, _): data
    }
  }
}

extension RequestBody {
  /// Returns a JSON body with an encoded value.
  ///
  /// - Parameters:
  ///   - value: the value to encode.
  ///   - encoder: the encoder. By default, a `JSONEncoder` with its default strategies.
  /// - Throws: the error of the encoder, or `JSONSyntaxError` if the JSON is nested more than 512 levels deep.
  /// - Complexity: linear in the size of the body.
  public static func json(
    encoding value: some Encodable, encoder: JSONEncoder = JSONEncoder()
  ) throws -> RequestBody {
    .json(try JSONValue(encoding: value, encoder: encoder))
  }
}

/// Bodies are equal if their texts have the same Unicode scalars, and their JSON values are equal.
extension RequestBody: Hashable {
  public static func == (left: RequestBody, right: RequestBody) -> Bool {
    switch (left, right) {
    case (.json(let left), .json(let right)): left == right
    case (.form(let left), .form(let right)): haveSameScalars(left, right)
    case (.data(let left, let leftType), .data(let right, let rightType)):
      left == right && haveSameScalars(leftType, rightType)
    case (.json, _), (.form, _), (.data, _): false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .json(let value): hasher.combine(value)
    case .form(let fields): hasher.combine(fields)
    case .data(let data, _): hasher.combine(data)
    }
  }
}

extension RequestBody {
  /// Returns the value of a field of a form, or of a member of a JSON object. Returns nil if there is none, or if the
  /// member is neither a string nor a number.
  func parameter(_ name: String) -> String? {
    switch self {
    case .json(let value):
      switch Self.keys(of: name, in: value).reduce(value as JSONValue?, { $0?[$1] }) {
      case .string(let text)?: text
      case .number(let number)?: number.digits
      default: nil
      }
    case .form(let fields): fields[name]
    case .data: nil
    }
  }

  /// Returns a form or a JSON object with a changed parameter, or nil for other bodies. A member that is a string stays a
  /// string. In a JSON object, dots in the name separate the keys of nested objects, unless the object has the whole name as a
  /// key.
  func setting(_ name: String, to value: ParameterValue) -> RequestBody? {
    switch self {
    case .json(let body):
      guard body.kind == .object else { return nil }
      return .json(Self.setting(Self.keys(of: name, in: body)[...], to: value, in: body))
    case .form(var fields):
      fields[name] = value.text
      return .form(fields)
    case .data: return nil
    }
  }

  private static func keys(of name: String, in body: JSONValue) -> [String] {
    body[name] != nil ? [name] : name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  private static func setting(
    _ keys: ArraySlice<String>, to value: ParameterValue, in object: JSONValue?
  ) -> JSONValue {
    guard let key = keys.first else {
      if case .string? = object { return .string(value.text) }
      return value.json
    }
    var members = if case .object(let members)? = object { members } else { JSONObject() }
    members[key] = setting(keys.dropFirst(), to: value, in: members[key])
    return .object(members)
  }
}

/// The value of a parameter that a page manager sets.
enum ParameterValue: Hashable {
  case text(String)
  case number(JSONNumber)
  /// A list or an object. Only a JSON body contains it as it is.
  case json(JSONValue)

  /// Creates the value of a parameter; nil for a null, a Boolean, a fraction, and an empty text, list or object.
  init?(_ value: JSONValue) {
    switch value {
    case .string(let text) where !text.isEmpty: self = .text(text)
    case .number(let number) where number.isInteger: self = .number(number)
    case .array(let elements) where !elements.isEmpty: self = .json(value)
    case .object(let members) where !members.isEmpty: self = .json(value)
    default: return nil
    }
  }

  /// Creates the value of a parameter for a member of a cursor; nil for a null.
  init?(member: JSONValue) {
    switch member {
    case .null: return nil
    case .boolean(let isTrue): self = .text(isTrue ? "true" : "false")
    case .string(let text): self = .text(text)
    case .number(let number): self = .number(number)
    case .array, .object: self = .json(member)
    }
  }

  init(_ number: Int) { self = .number(JSONNumber(Int64(number))) }

  /// The value in an address or a form.
  var text: String {
    switch self {
    case .text(let text): text
    case .number(let number): number.digits
    case .json(let value): value.compactText()
    }
  }

  /// The value in a JSON object.
  var json: JSONValue {
    switch self {
    case .text(let text): .string(text)
    case .number(let number): .number(number)
    case .json(let value): value
    }
  }
}
