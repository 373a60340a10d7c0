import JSONTree

extension CachedResponse {
  /// The headers as a JSON object, by name.
  var headersText: String { Self.text(headers.mapValues { $0 }) }

  /// The selecting headers as a JSON object, by name. The value is null for a header that the request did not have.
  var selectingHeadersText: String { Self.text(selectingHeaders.mapValues { $0?.string }) }

  private static func text(_ fields: [String: String?]) -> String {
    let members = fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value.map(JSONValue.string) ?? .null) }
    return JSONValue.object(JSONObject(members)).compactText()
  }

  /// Returns the headers of a JSON object, or nil if the text is invalid.
  static func headers(_ text: String) -> [String: String]? {
    guard let fields = fields(text) else { return nil }
    let headers = fields.compactMapValues { $0 }
    return headers.count == fields.count ? headers : nil
  }

  /// Returns the selecting headers of a JSON object, or nil if the text is invalid.
  static func selectingHeaders(_ text: String) -> [String: ScalarString?]? {
    fields(text)?.mapValues { $0.map { ScalarString($0) } }
  }

  private static func fields(_ text: String) -> [String: String?]? {
    guard let root = try? JSONDocument(parsing: Array(text.utf8)).root, root.kind == .object else {
      return nil
    }
    var fields: [String: String?] = [:]
    for (name, value) in root.members {
      switch value.kind {
      case .string: fields.updateValue(value.string, forKey: name)
      case .null: fields.updateValue(nil, forKey: name)
      default: return nil
      }
    }
    return fields
  }
}
