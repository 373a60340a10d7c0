import JSONTree
import RecordEngine
import RecordModel

/// A writer of the bodies and headers of a new session with the identifiers and times of the old one.
struct SessionNormalizer {
  private let alignment: SessionAlignment
  private let identifiers: [String: RoleVotes.Mapping]
  private let times: [String: RoleVotes.Mapping]
  /// The random identifiers that are replaced inside of texts, and their old ones.
  private let search: TextSearch
  private let replacements: [String]
  /// The new identifiers that stay, because they stand for several old ones, or several stand for one. Sorted.
  let conflicts: [String]
  /// The number of times that stay for this reason.
  let timeConflictCount: Int

  init(_ alignment: SessionAlignment) {
    self.alignment = alignment
    var identifiers = alignment.identifiers.mapValues(\.mapping)
    // An identifier whose entity is unknown may be that of any entity.
    var all = RoleVotes()
    for votes in alignment.identifiers.values { all.add(votes) }
    let unknown = all.mapping
    identifiers[IdentifierRoles.unknown] = unknown
    var conflicts: Set<String> = []
    for (role, votes) in alignment.identifiers {
      conflicts.formUnion((identifiers[role]?.conflicts ?? []).filter { votes.contains($0) })
    }
    self.identifiers = identifiers
    self.conflicts = conflicts.sorted(by: scalarsPrecede)
    times = alignment.times.mapValues(\.mapping)
    timeConflictCount = times.values.reduce(0) { $0 + $1.conflicts.count }
    let random = unknown.values.filter { $0.key != $0.value && VaryingValue.isRandom($0.key) }
      .sorted { scalarsPrecede($0.key, $1.key) }
    replacements = random.map(\.value)
    search = TextSearch(random.enumerated().map { ($1.key, $0) })
  }

  /// Returns a value in which what varies is replaced.
  func normalized(_ value: JSONValue, _ position: SessionAlignment.Position) -> JSONValue {
    switch value {
    case .null, .boolean: return value
    case .object(let members):
      let inner = position.inside(members, alignment)
      return .object(
        JSONObject(members.map { ($0.key, normalized($0.value, inner.member($0.key))) }))
    case .array(let elements):
      return .array(elements.enumerated().map { normalized($1, position.element($0)) })
    case .number(let number):
      guard let text = replacement(for: value, position), JSONValue.isNumber(text) else {
        return .number(number)
      }
      return .number(JSONNumber(checkedDigits: text))
    case .string(let text): return .string(replacement(for: value, position) ?? self.text(text))
    }
  }

  private func replacement(for value: JSONValue, _ position: SessionAlignment.Position) -> String? {
    guard let text = VaryingValue.text(of: value) else { return nil }
    switch alignment.kind(of: value, under: position.key, in: position.noun) {
    case .time: return times[position.scope]?.values[text]
    case .identifier(let role): return identifier(text, role)
    case nil: return nil
    }
  }

  private func identifier(_ text: String, _ role: String) -> String? { identifiers[role]?.values[text] }

  // MARK: Texts

  /// Returns a text with the old identifiers in its addresses, and with the old random identifiers.
  private func text(_ text: String) -> String {
    var result = ""
    var end = text.startIndex
    for range in AddressText.addresses(in: text) {
      result += text[end..<range.lowerBound] + address(text[range])
      end = range.upperBound
    }
    return randomReplaced(in: result + text[end...])
  }

  private func randomReplaced(in text: String) -> String {
    if search.isEmpty { return text }
    let bytes = Array(text.utf8)
    let matches = search.matches(in: bytes)
    if matches.isEmpty { return text }
    var result: [UInt8] = []
    var offset = 0
    while offset < bytes.count {
      if let match = matches[offset] {
        result += Array(replacements[match.id].utf8)
        offset += match.length
      } else {
        result.append(bytes[offset])
        offset += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns an address in which the identifiers are replaced. The rest keeps its spelling.
  private func address(_ text: Substring) -> String {
    let written = text.prefix { $0 != "?" && $0 != "#" }
    let (path, noun) = alignment.replacingIdentifiers(inPath: written, by: identifier)
    let rest = text[written.endIndex...]
    guard rest.first == "?" else { return path + rest }
    let query = rest.dropFirst().prefix { $0 != "#" }
    let parameters = query.split(separator: "&", omittingEmptySubsequences: false).map { part -> String in
      let parameter = WebAddress.Parameter(text: String(part))
      guard part.contains("="), let role = alignment.role(ofPart: parameter.value, parameter.name, in: noun),
        let value = identifier(parameter.value, role)
      else { return String(part) }
      return part.prefix { $0 != "=" } + "=" + PercentEncoding.parameter(value)
    }
    return path + "?" + parameters.joined(separator: "&") + rest[query.endIndex...]
  }
}

extension JSONValue {
  /// Returns a Boolean value that indicates whether a text is an integer of JSON.
  fileprivate static func isNumber(_ text: String) -> Bool { Int64(text).map { String($0) == text } ?? false }

  /// Returns the value with the keys of its objects in the order of an old value, and new keys after them.
  func ordered(like old: JSONValue?) -> JSONValue {
    switch (self, old) {
    case (.object(let members), .object(let formers)?):
      var result = JSONObject()
      for former in formers {
        if let value = members[former.key] { result[former.key] = value.ordered(like: former.value) }
      }
      for member in members where formers[member.key] == nil { result[member.key] = member.value }
      return .object(result)
    case (.array(let elements), .array(let formers)?):
      return .array(
        elements.enumerated().map { index, element in
          element.ordered(like: index < formers.count ? formers[index] : formers.last)
        })
    default: return self
    }
  }
}
