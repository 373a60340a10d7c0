import JSONTree
import OrderedCollections
import RecordEngine
import RecordModel
import ScenarioFormat

/// The differences between the responses of two sessions in statuses, and in the keys and types of bodies.
struct APIChanges {
  /// The kinds of values, by the path of the object or list, and by key. The key of elements is empty.
  private typealias Kinds = OrderedDictionary<String, OrderedDictionary<String, Set<JSONKind>>>

  private struct Forms {
    var old = Kinds()
    var new = Kinds()
    var statuses: OrderedSet<String> = []
  }

  private var forms: OrderedDictionary<String, Forms> = [:]

  /// Adds a response and the one that replaces it.
  mutating func add(_ old: RecordedResponse, _ new: RecordedSession.Exchange) {
    let request = Self.request(old.address)
    let (was, now) = (Self.status(old.status, old.failure), Self.status(new.status ?? 200, new.failure))
    if was != now {
      forms[request, default: Forms()].statuses.append("\(request): \(was) is now \(now)")
    } else if let former = old.json, let json = new.json {
      Self.add(former, "", &forms[request, default: Forms()].old)
      Self.add(json, "", &forms[request, default: Forms()].new)
    } else if (old.json == nil) != (new.json == nil) {
      forms[request, default: Forms()].statuses
        .append("\(request): the response has \(new.json == nil ? "no" : "a") body now")
    }
  }

  private static func status(_ status: Int, _ failure: ServerFailure?) -> String {
    failure.map { "error \($0.rawValue)" } ?? "status \(status)"
  }

  /// Returns a request in words, with a placeholder for identifiers: `GET /users/{id}`. What precedes the first name is no
  /// identifier, but a version: `GET /1/users`.
  static func request(_ address: RequestAddress) -> String {
    var hasName = false
    let origin = address.path.contains("://") ? 3 : 0
    let parts = address.path.split(separator: "/", omittingEmptySubsequences: false).enumerated().map {
      index, part in
      let isIdentifier = VaryingValue.isIdentifier(inAddress: PercentEncoding.decoded(part))
      if index >= origin, !isIdentifier, !part.isEmpty { hasName = true }
      return isIdentifier && hasName ? "{id}" : String(part)
    }
    let path = parts.joined(separator: "/")
    return address.method + " " + (path.contains("://") ? path : "/" + path)
  }

  private static func add(
    _ value: JSONValue, _ path: String, _ forms: inout Kinds
  ) {
    switch value {
    case .object(let members):
      if forms[path] == nil { forms[path] = [:] }
      for member in members {
        forms[path]?[member.key, default: []].insert(member.value.kind)
        add(member.value, path.isEmpty ? member.key : path + "." + member.key, &forms)
      }
    case .array(let elements):
      for element in elements {
        forms[path + "[]", default: [:]]["", default: []].insert(element.kind)
        add(element, path + "[]", &forms)
      }
    case .null, .boolean, .number, .string: break
    }
  }

  // MARK: Lines

  /// The changes in words, in the order of the requests.
  var lines: [String] { forms.flatMap { $1.statuses + Self.lines($0, $1) } }

  private static func lines(_ request: String, _ forms: Forms) -> [String] {
    forms.old.flatMap { path, former -> [String] in
      guard let members = forms.new[path] else { return [] }
      func name(_ key: String) -> String {
        key.isEmpty ? path : path.isEmpty ? key : path + "." + key
      }
      let gone = former.keys.filter { !$0.isEmpty && members[$0] == nil }
      let added = members.keys.filter { !$0.isEmpty && former[$0] == nil }
      var lines: [String] = []
      if gone.count == 1, added.count == 1, let old = former[gone[0]], let new = members[added[0]],
        old == new
      {
        lines.append("\(request): \(name(gone[0])) is gone, \(name(added[0])) is new; perhaps it was renamed")
      } else {
        lines += gone.map { "\(request): \(name($0)) is gone" }
        lines += added.map { "\(request): \(name($0)) is new (\(words(members[$0] ?? [])))" }
      }
      for (key, old) in former {
        guard let new = members[key] else { continue }
        let (was, now) = (old.subtracting([.null]), new.subtracting([.null]))
        if !was.isEmpty, !now.isSubset(of: was) || now.isEmpty && !old.contains(.null) {
          lines.append("\(request): \(name(key)) was \(words(old)), is \(words(new))")
        }
      }
      return lines
    }
  }

  private static func words(_ kinds: Set<JSONKind>) -> String {
    let all: [(JSONKind, String)] = [
      (.string, "text"), (.number, "number"), (.boolean, "Boolean"), (.object, "object"), (.array, "list"),
      (.null, "null"),
    ]
    return all.filter { kinds.contains($0.0) }.map(\.1).joined(separator: " or ")
  }
}
