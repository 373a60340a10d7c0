package import JSONTree

extension YAMLNode {
  /// Returns the value as JSON, with the order of the keys and the digits of the numbers preserved.
  ///
  /// Reports values that JSON cannot represent (`.inf`, `.nan`, octal or hexadecimal integers beyond 64 bits) and then
  /// returns nil. Linear in the number of nodes.
  package func jsonValue(_ diagnostics: inout [AuthorDiagnostic]) -> JSONValue? {
    switch content {
    case .scalar(let scalar): return jsonValue(of: scalar, &diagnostics)
    case .sequence(let elements):
      var values: [JSONValue] = []
      values.reserveCapacity(elements.count)
      for element in elements {
        if let value = element.jsonValue(&diagnostics) { values.append(value) }
      }
      return values.count == elements.count ? .array(values) : nil
    case .mapping(let pairs):
      var members = JSONObject(minimumCapacity: pairs.count)
      for pair in pairs {
        if let parts = pair.partsWithoutSpace {
          diagnostics.append(
            AuthorDiagnostic(
              .noJSON, at: pair.keySpan, "missing space after ':'",
              advice: "write '\(parts.key): \(parts.value)'; a key that contains ':' needs quotes"))
          continue
        }
        if let value = pair.value.jsonValue(&diagnostics) { members[pair.key] = value }
      }
      return members.count == pairs.count ? .object(members) : nil
    }
  }

  private func jsonValue(of scalar: YAMLScalar, _ diagnostics: inout [AuthorDiagnostic]) -> JSONValue? {
    switch scalar.value {
    case .null: return .null
    case .boolean(let value): return .boolean(value)
    case .number(let digits, _): return .number(JSONNumber(checkedDigits: digits))
    case .string(let text): return .string(text)
    case .noNumber(let text):
      diagnostics.append(
        AuthorDiagnostic(
          .noJSON, at: span, "'\(text)' is not a JSON number", advice: "write it in quotes if it is a string"
        ))
      return nil
    case .tooLarge(let text):
      diagnostics.append(
        AuthorDiagnostic(
          .noJSON, at: span, "'\(text)' does not fit into 64 bits", advice: "write it as a decimal number"))
      return nil
    }
  }
}

extension YAMLPair {
  /// The parts of a key such as `id:7`, which has no value because a space is missing; nil for any other key.
  fileprivate var partsWithoutSpace: (key: Substring, value: Substring)? {
    guard value.isNull, value.range.isEmpty, value.scalar?.style == .plain,
      ![UInt8(ascii: "\""), UInt8(ascii: "'")].contains(value.file.bytes[keyRange.lowerBound]),
      let colon = key.firstIndex(of: ":")
    else { return nil }
    return (key[..<colon], key[key.index(after: colon)...])
  }
}
