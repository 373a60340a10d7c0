import JSONTree
import RecordEngine
import RecordModel
import ScenarioComparison

/// The items of a response, and the name of their entity, as the response and its address suggest them.
struct ItemLocation {
  /// The keys that lead to the items; nil if the response is a list, empty if the response is the item.
  var path: [String]?
  var items: [JSONObject]
  /// The key or part of the address that names the entity.
  var name: String
  /// The source of the name in words: `'issues' in the address`.
  var nameSource: String

  /// Finds the items of a response; nil if it has no place for items, such as a number.
  init?(in json: JSONValue, url: String) {
    let segments = Self.segments(of: url)
    var path: [String] = []
    switch json {
    case .array(let elements):
      items = Self.objects(in: elements)
      self.path = nil
    case .object(var object):
      while let key = Self.wrappedKey(of: object, segments), path.count < Self.maximumDepth {
        path.append(key)
        guard case .object(let inner)? = object[key] else { break }
        object = inner
      }
      switch Self.value(at: path, in: json) {
      case .array(let elements): items = Self.objects(in: elements)
      case .object(let item): items = [item]
      default: return nil
      }
      self.path = path
    case .null, .boolean, .number, .string: return nil
    }
    if let key = path.last(where: { !Self.genericKeys.contains(KeyWords.joined($0)) }) {
      (name, nameSource) = (key, "'\(key)' in the response")
    } else {
      let item = items.count == 1 ? items[0] : nil
      let named = Self.name(in: segments, of: item)
      (name, nameSource) = (
        named ?? "item", named.map { "'\($0)' in the address" } ?? "no name in the address"
      )
    }
  }

  private static let maximumDepth = 6

  private static func value(at path: [String], in json: JSONValue) -> JSONValue? {
    path.reduce(json as JSONValue?) { value, key in value?[key] }
  }

  /// Returns the objects of a list, also those in lists inside of it.
  static func objects(in elements: [JSONValue]) -> [JSONObject] {
    elements.flatMap { element -> [JSONObject] in
      switch element {
      case .object(let object): return [object]
      case .array(let inner): return objects(in: inner)
      default: return []
      }
    }
  }

  // MARK: Wrappers

  /// Returns the key of the items in an object that only wraps them; nil if the object is an item.
  private static func wrappedKey(of object: JSONObject, _ segments: [String]) -> String? {
    guard !hasIdentifier(object) else { return nil }
    var lists: [(key: String, count: Int)] = []
    var emptyLists: [String] = []
    var objects: [String] = []
    var others = 0
    for member in object {
      let isMetadata = metadataKeys.contains(KeyWords.joined(member.key))
      switch member.value {
      case .array(let elements):
        let count = self.objects(in: elements).count
        if count > 0 {
          lists.append((member.key, count))
        } else if elements.isEmpty {
          emptyLists.append(member.key)
        } else {
          others += 1
        }
      case .object(let inner): if !inner.isEmpty, !isMetadata { objects.append(member.key) }
      case .null, .boolean, .number, .string: if !isMetadata { others += 1 }
      }
    }
    let names = Set(segments.map { KeyWords.singular(KeyWords.joined($0)) })
    func isNamed(_ key: String) -> Bool { names.contains(KeyWords.singular(KeyWords.joined(key))) }
    // Further values describe the list if the address ends with its name.
    let last = segments.last { !isIdentifier($0) }.map { KeyWords.singular(KeyWords.joined($0)) }
    let named = lists.first { KeyWords.singular(KeyWords.joined($0.key)) == last }
    guard others <= 1 else { return named?.key }
    if !lists.isEmpty {
      return lists.first { isNamed($0.key) }?.key
        ?? lists.first { genericKeys.contains(KeyWords.joined($0.key)) }?.key
        ?? lists.max { $0.count < $1.count }?.key
    }
    if others == 0, objects.count == 1 { return objects[0] }
    if objects.isEmpty, let empty = emptyLists.first(where: isNamed) ?? emptyLists.first { return empty }
    return nil
  }

  /// Returns a Boolean value that indicates whether an object has a key that identifies it.
  private static func hasIdentifier(_ object: JSONObject) -> Bool {
    object.contains { member in
      guard identifierKeys.contains(KeyWords.joined(member.key)) else { return false }
      switch member.value {
      case .string(let text): return !text.isEmpty
      case .number: return true
      default: return false
      }
    }
  }

  private static let identifierKeys: Set<String> = ["id", "uuid", "guid", "slug", "sku", "isbn", "nodeid"]

  /// The keys of wrappers, which do not name the items.
  private static let genericKeys: Set<String> = [
    "data", "items", "results", "result", "records", "entries", "list", "nodes", "content", "objects", "rows",
    "hits", "values", "elements", "payload", "response", "body", "embedded", "collection", "docs",
    "documents",
  ]

  /// The keys of values that describe a response.
  private static let metadataKeys: Set<String> = [
    "count", "total", "totalcount", "totalresults", "totalpages", "page", "pages", "perpage", "pagesize",
    "limit",
    "offset", "next", "previous", "prev", "first", "last", "cursor", "nextcursor", "nextpagetoken", "hasmore",
    "hasnext", "hasnextpage", "incompleteresults", "links", "meta", "metadata", "paging", "pagination",
    "pageinfo",
    "status", "success", "ok", "code", "message", "error", "errors", "warnings", "took", "timestamp",
    "version",
    "self", "href", "url", "kind", "etag", "object", "nexturl", "previousurl", "nextpage", "query",
  ]

  // MARK: Addresses

  private static func segments(of url: String) -> [String] {
    WebAddress(url).path.split(separator: "/").map { segment in
      let text = PercentEncoding.decoded(segment)
      return text.hasSuffix(".json") ? String(text.dropLast(5)) : text
    }
  }

  /// Returns the last part of an address that names a kind of records.
  private static func name(in segments: [String], of item: JSONObject?) -> String? {
    let values = Set(
      (item ?? [:]).compactMap { member -> String? in
        switch member.value {
        case .string(let text): text
        case .number(let number): number.digits
        default: nil
        }
      })
    return segments.last { segment in
      let scalars = segment.unicodeScalars
      return scalars.contains { $0.properties.isAlphabetic } && !values.contains(segment)
        && !isIdentifier(segment) && !verbs.contains(segment.lowercased())
    }
  }

  /// Returns a Boolean value that indicates whether a part of an address is an identifier or a version.
  static func isIdentifier(_ segment: String) -> Bool {
    let bytes = Array(segment.utf8)
    let digits = bytes.count { ("0"..."9").contains(Unicode.Scalar($0)) }
    let isVersion = bytes.first == UInt8(ascii: "v") && bytes.count > 1 && digits == bytes.count - 1
    return digits == bytes.count || isVersion || digits > 0 && bytes.count >= 16 || segment.contains("@")
  }

  private static let verbs: Set<String> = [
    "api", "rest", "search", "list", "all", "query", "find", "latest", "recent", "index", "graphql",
  ]
}
