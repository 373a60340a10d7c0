import JSONTree
import RecordEngine
import RecordModel
import ScenarioComparison

/// The items of a response, and the name of their entity, as the response and its address suggest them.
struct ItemLocation {
  /// The keys that lead to the items; nil if the response is a list, empty if the response is the item.
  var path: [String]?
  var items: [JSONObject]
  /// The attribute for the keys of the dictionary that contains the items; nil for other responses.
  var keyedBy: String?
  /// A Boolean value that indicates whether the response contains a list of items, or a dictionary of them.
  var isList: Bool
  /// The keys of other lists of records in the response.
  var otherLists: [String] = []
  /// The key or part of the address that names the entity.
  var name: String
  /// The source of the name in words: `'issues' in the address`.
  var nameSource: String
  /// The URL of the response, and the parts of its path.
  let url: String
  let segments: [String]
  /// A Boolean value that indicates whether the name is that of a list, or that the response states it.
  var hasCertainName: Bool

  /// Finds the items of a response; nil if it has no place for items, such as a number.
  init?(in json: JSONValue, url: String) {
    self.url = url
    segments = Self.segments(of: url)
    var path: [String] = []
    switch json {
    case .array(let elements):
      items = Self.objects(in: elements)
      isList = true
      self.path = nil
    case .object(var object):
      while !ObjectLayout.isDictionary(object), let key = Self.wrappedKey(of: object, segments),
        path.count < Self.maximumDepth
      {
        otherLists = Self.lists(in: object).filter { $0 != key }
        path.append(key)
        guard case .object(let inner)? = object[key] else { break }
        object = inner
      }
      switch Self.value(at: path, in: json) {
      case .array(let elements):
        items = Self.objects(in: elements)
        isList = true
        if let node = Self.nodeKey(in: items) {
          path.append(node)
          items = items.compactMap { if case .object(let item)? = $0[node] { item } else { nil } }
        }
      case .object(let dictionary) where ObjectLayout.isDictionary(dictionary):
        let attribute = ObjectLayout.attribute(of: [dictionary])
        keyedBy = attribute
        items = ObjectLayout.items(in: dictionary, keyedBy: attribute)
        isList = true
      case .object(let item):
        items = [item]
        isList = false
      case .null:
        items = []
        isList = false
      default: return nil
      }
      self.path = path
    case .null, .boolean, .number, .string: return nil
    }
    items.removeAll { $0.allSatisfy { $0.value.kind == .null } }
    if let key = path.last(where: { !Self.genericKeys.contains(KeyWords.joined($0)) }) {
      (name, nameSource) = (key, "'\(key)' in the response")
      hasCertainName = true
    } else {
      let item = isList ? nil : items.first
      let named =
        Self.name(in: segments, of: item)
        ?? (isList ? nil : segments.last { !Self.isIdentifier($0) && !KeyWords.words(of: $0).isEmpty })
      let withoutVerbs = named.map { Self.withoutVerbs($0) } ?? ""
      let isEnvelope = item.map { Self.lists(in: $0).count > 1 && !Self.hasIdentifier($0) } ?? false
      name = withoutVerbs.isEmpty ? named ?? (isEnvelope ? "response" : "item") : withoutVerbs
      nameSource = named.map { "'\($0)' in the address" } ?? "no name in the address"
      hasCertainName = named != nil && (isList || segments.last != named)
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
    var nulls: [String] = []
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
      case .object(let inner) where ObjectLayout.isDictionary(inner): lists.append((member.key, inner.count))
      case .object(let inner): if !inner.isEmpty, !isMetadata { objects.append(member.key) }
      case .null: if !isMetadata { nulls.append(member.key) }
      case .boolean, .number, .string: if !isMetadata { others += 1 }
      }
    }
    let names = Set(segments.map { Nouns.singular(KeyWords.joined($0)) })
    func isNamed(_ key: String) -> Bool { names.contains(Nouns.singular(KeyWords.joined(key))) }
    // Further values describe the list if the address ends with its name.
    let last = segments.last { !isIdentifier($0) }.map { Nouns.singular(KeyWords.joined($0)) }
    let named = lists.first { Nouns.singular(KeyWords.joined($0.key)) == last }
    guard others + nulls.count <= 1 else { return named?.key }
    if let key = named?.key ?? lists.first(where: { isNamed($0.key) })?.key { return key }
    if let generic = lists.first(where: { genericKeys.contains(KeyWords.joined($0.key)) }),
      generic.key == "data" || self.lists(in: object).count < 2
    {
      return generic.key
    }
    // The items of several lists side by side belong to the object around them.
    let nested = objects.filter { key in
      if case .object(let inner)? = object[key] {
        !hasIdentifier(inner) && !self.lists(in: inner).isEmpty
      } else {
        false
      }
    }
    if !lists.isEmpty, self.lists(in: object).count + nested.count > 1 { return nil }
    if !lists.isEmpty { return lists.max { $0.count < $1.count }?.key }
    if others + nulls.count == 0, objects.count == 1 { return objects[0] }
    if objects.isEmpty, let empty = emptyLists.first(where: isNamed) ?? emptyLists.first { return empty }
    // A record that was not found.
    return objects.isEmpty && others == 0 ? nulls.first : nil
  }

  /// Returns the keys of the lists and dictionaries of records in an object.
  private static func lists(in object: JSONObject) -> [String] {
    object.compactMap { member in
      switch member.value {
      case .array(let elements):
        let objects = self.objects(in: elements)
        let isOfRecords =
          nodeKey(in: objects) != nil
          || objects.first.map {
            !IdentifierChoice.candidates(in: [.init(object: $0)], named: member.key).allSatisfy(
              IdentifierChoice.isWeak)
          } ?? false
        return isOfRecords ? member.key : nil
      case .object(let inner): return ObjectLayout.isDictionary(inner) ? member.key : nil
      default: return nil
      }
    }
  }

  /// Returns the key under which each object of a list contains a record, as in the connections of GraphQL.
  private static func nodeKey(in objects: [JSONObject]) -> String? {
    let isOfNodes =
      !objects.isEmpty
      && objects.allSatisfy { object in
        guard let node = object["node"], !hasIdentifier(object) else { return false }
        return node.kind == .object || node.kind == .null
      }
    return isOfNodes ? "node" : nil
  }

  /// Returns the path of the list in an object that only describes it besides: `[edges, node]`. Returns nil for another
  /// object.
  static func wrappedList(of object: JSONObject) -> [String]? {
    var list: [String]?
    for member in object {
      if case .array(let elements) = member.value {
        let joined = KeyWords.joined(member.key)
        let objects = self.objects(in: elements)
        guard genericKeys.contains(joined), objects.count == elements.count else { return nil }
        if let known = list, known[0] != "edges" {
          guard joined == "edges" else { return nil }
        } else {
          list = [member.key] + (nodeKey(in: objects).map { [$0] } ?? [])
        }
      } else if !describesList(member) {
        return nil
      }
    }
    return list
  }

  /// Returns a Boolean value that indicates whether an object contains only values that describe a list.
  static func onlyDescribes(_ object: JSONObject) -> Bool {
    !object.isEmpty && object.allSatisfy(describesList)
  }

  private static func describesList(_ member: JSONObject.Element) -> Bool {
    metadataKeys.contains(KeyWords.joined(member.key)) && member.value.kind != .array
  }

  /// Returns a Boolean value that indicates whether an object has a key that identifies it.
  static func hasIdentifier(_ object: JSONObject) -> Bool {
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
    "documents", "edges", "node",
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
    "self", "href", "url", "kind", "type", "typename", "etag", "object", "nexturl", "previousurl", "nextpage",
    "query", "lastpage", "size", "maxscore", "start", "end", "skip",
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
    let values = Set((item ?? [:]).compactMap { $0.value.identifier })
    return segments.last { segment in
      let scalars = segment.unicodeScalars
      return scalars.contains { $0.properties.isAlphabetic } && !values.contains(segment)
        && !isIdentifier(segment) && !withoutVerbs(segment).isEmpty
    }
  }

  /// Returns the words of a part of an address without verbs and the like at its ends: `users` for `users.list`.
  private static func withoutVerbs(_ segment: String) -> String {
    var words = KeyWords.words(of: segment)[...]
    if let first = words.first, verbs.contains(first) {
      words.removeFirst(first == "verify" ? words.count : 1)
    }
    if let last = words.last, verbs.contains(last) { words.removeLast() }
    return words.joined(separator: "_")
  }

  /// Returns a Boolean value that indicates whether a part of an address is an identifier or a version.
  static func isIdentifier(_ segment: String) -> Bool {
    let bytes = Array(segment.utf8)
    let digits = bytes.count { ("0"..."9").contains(Unicode.Scalar($0)) }
    let isVersion = bytes.first == UInt8(ascii: "v") && bytes.count > 1 && digits == bytes.count - 1
    return digits == bytes.count || isVersion || digits > 0 && bytes.count >= 16 || segment.contains("@")
  }

  private static let verbs: Set<String> = [
    "api", "rest", "search", "list", "all", "query", "find", "latest", "recent", "index", "graphql", "get",
    "fetch",
    "create", "update", "delete", "me", "self", "current", "verify", "my", "lookup",
  ]
}
