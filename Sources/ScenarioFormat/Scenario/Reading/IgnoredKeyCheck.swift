import JSONTree
import RecordModel

/// The check for patterns in `ignores` that match no key of a scenario's responses, and so have no effect. Only
/// patterns in the scenario itself are checked, because a model file may serve several scenarios.
struct IgnoredKeyCheck {
  let scenario: Scenario
  let locations: ModelSourceMap

  /// The maximum number of patterns that are checked.
  private static let limit = 100
  /// The maximum number of keys in a path that patterns with `*` match. Deeper keys are matched by their last keys.
  private static let defaultDepth = 4
  /// The maximum number of keys in any pattern that is matched.
  private static let maximumDepth = 20

  /// Returns a warning for each pattern without effect; none if no response has any key. Linear in the size of the
  /// responses.
  func warnings() -> [AuthorDiagnostic] {
    let patterns = patterns.prefix(Self.limit)
    guard !patterns.isEmpty else { return [] }
    let length = patterns.map { $0.value.split(separator: ".").count }.max() ?? 0
    let keys = keys(upTo: min(max(length, Self.defaultDepth), Self.maximumDepth))
    if keys.isEmpty { return [] }
    return patterns.filter { pattern in !keys.contains(where: KeyPattern(pattern.value).matches) }.map {
      AuthorDiagnostic(
        .unusedPattern, of: $0.value, at: $0.span, "no key of the responses matches '\($0.value)'",
        advice: "correct it, or remove it from 'ignores'")
    }
  }

  /// The patterns in the scenario, in the order of the model.
  private var patterns: [Located<String>] {
    scenario.model.entities.flatMap { entity in
      entity.ignores.enumerated().compactMap { index, text in
        let path = JSONPointer(tokens: ["entities", entity.name.rawValue, "ignores", String(index)])
        guard case .span(let span)? = locations.location(of: path), span.file.path == scenario.file.path
        else { return nil }
        return Located(value: text, span: span)
      }
    }
  }

  /// The keys of all bodies, alone and with the keys of the objects around them.
  ///
  /// - Parameter depth: the maximum number of keys in a path.
  private func keys(upTo depth: Int) -> Set<String> {
    var keys: Set<String> = []
    var rest = scenario.responses.flatMap { $0.responses.compactMap(\.body) }.compactMap(\.json)
      .map { (value: $0, path: [String]()) }
    for step in scenario.steps {
      if case .serialize(let response) = step.action, let value = response.body.json {
        rest.append((value, []))
      }
    }
    while let (value, path) = rest.popLast() {
      switch value {
      case .array(let elements): rest += elements.map { ($0, path) }
      case .object(let members):
        for (key, value) in members {
          let path = Array(path.suffix(depth - 1)) + [key]
          for start in path.indices { keys.insert(path[start...].joined(separator: ".")) }
          rest.append((value, path))
        }
      default: break
      }
    }
    return keys
  }
}

extension CannedResponse.Body {
  /// The JSON of the body; nil if it is not JSON.
  fileprivate var json: JSONValue? {
    switch self {
    case .value(let value): value
    case .bytes(let bytes): try? JSONDocument(parsing: bytes).root.value
    }
  }
}
