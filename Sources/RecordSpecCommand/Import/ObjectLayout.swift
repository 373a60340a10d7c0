import JSONTree
import OrderedCollections
import RecordModel

/// The keys of a session under which objects stand that are no records, but only lead to records or values.
///
/// - A *wrapper* contains a list of records: `variants: {edges: [{node: {…}}], pageInfo: {…}}`.
/// - A *dictionary* contains records by key: `users: {"7": {…}, "9": {…}}`.
/// - A *container* contains the values of the record around it: `{type: posts, id: 1, attributes: {…}}`.
/// - A *part* groups a few values of the record around it: `size: {width: 1, height: 2}`.
///
/// In rewritten objects, lists and values replace these objects, under keys that stand for paths.
struct ObjectLayout {
  private enum Role {
    case wrapper([String])
    case dictionary(attribute: String)
    case container
    case part
  }

  private var roles: [ScalarString: Role] = [:]
  /// The keys of the session, which no key of a path may equal.
  private var literalKeys: Set<ScalarString> = []
  private var keysOfPaths: [[ScalarString]: String] = [:]
  private var paths: [ScalarString: [String]] = [:]
  private var names: [ScalarString: [String]] = [:]
  /// The patterns of the keys beside the lists of wrappers, by the key of the list.
  private(set) var ignored: [ScalarString: String] = [:]
  /// The keys of lists whose wrapper sometimes contains no list.
  private(set) var incomplete: Set<ScalarString> = []

  /// Finds the layout of items.
  ///
  /// - Complexity: linear in the size of the items.
  init(of items: some Sequence<JSONObject>) {
    var tallies: OrderedDictionary<ScalarString, KeyTally> = [:]
    for item in items { Self.tally(item, &tallies) }
    literalKeys = Set(tallies.keys)
    for (key, tally) in tallies {
      if tally.isContainer(key.string) {
        roles[key] = .container
      } else if let path = tally.wrapperPath {
        roles[key] = .wrapper(path)
        if tally.hasOtherValues { incomplete.insert(key) }
      } else if let attribute = tally.dictionaryAttribute {
        roles[key] = .dictionary(attribute: attribute)
      }
    }
    // The objects of a part may contain parts, but those contain only values.
    var counts: [ScalarString: Int] = [:]
    for level in 0...1 {
      let known = counts
      for (key, tally) in tallies where roles[key] == nil && tally.mayBePart {
        guard level == 1 || tally.innerKeys.isEmpty, tally.innerKeys.allSatisfy({ known[$0] != nil }) else {
          continue
        }
        let count = tally.keys.count + tally.innerKeys.reduce(0) { $0 + (known[$1] ?? 0) - 1 }
        if count <= Self.maximumPartCount { counts[key] = count }
      }
    }
    for key in counts.keys { roles[key] = .part }
  }

  /// The number of values up to which an object without a key of its own is a part of the record around it.
  private static let maximumPartCount = 8

  private static func tally(_ object: JSONObject, _ tallies: inout OrderedDictionary<ScalarString, KeyTally>)
  {
    let isIdentified = ItemLocation.hasIdentifier(object)
    for member in object {
      let key = ScalarString(member.key)
      tallies[key, default: KeyTally()].add(member.value, key: member.key, isInRecord: isIdentified)
      switch member.value {
      case .object(let inner): tally(inner, &tallies)
      case .array(let elements): for inner in ItemLocation.objects(in: elements) { tally(inner, &tallies) }
      default: break
      }
    }
  }

  // MARK: Keys

  /// Returns the path of a key in the recorded objects.
  func path(of key: String) -> [String] { paths[ScalarString(key)] ?? [key] }

  /// Returns the key that names the property of a key.
  func name(of key: String) -> String { names[ScalarString(key)]?.joined(separator: " ") ?? key }

  /// Returns the key that names the records under a key.
  func entityKey(of key: String) -> String { names[ScalarString(key)]?.last ?? key }

  /// Returns the attribute that contains the keys of a dictionary; nil for a list.
  func keyedBy(_ key: String) -> String? {
    if case .dictionary(let attribute)? = path(of: key).last.flatMap({ roles[ScalarString($0)] }) {
      attribute
    } else {
      nil
    }
  }

  /// Returns the key of a path, which no other path and no recorded key has.
  private mutating func key(of path: [String], named name: [String]) -> String {
    if path.count == 1 { return path[0] }
    let scalars = path.map { ScalarString($0) }
    if let known = keysOfPaths[scalars] { return known }
    var key = MappingPath(keys: path).description
    while literalKeys.contains(ScalarString(key)) || paths[ScalarString(key)] != nil { key += "'" }
    keysOfPaths[scalars] = key
    paths[ScalarString(key)] = path
    names[ScalarString(key)] = name
    return key
  }

  // MARK: Rewriting

  /// Returns an object in which the lists and values of wrappers, dictionaries, containers and parts have keys of their
  /// own.
  mutating func rewritten(_ object: JSONObject) -> JSONObject {
    var result = JSONObject(minimumCapacity: object.count)
    for member in object { add(member.value, [member.key], [member.key], to: &result) }
    return result
  }

  private mutating func add(
    _ value: JSONValue, _ path: [String], _ name: [String], to result: inout JSONObject
  ) {
    let last = path[path.count - 1]
    let known = roles[ScalarString(last)]
    guard case .object(let object) = value, let role = known else {
      if known == nil || value.kind != .null { result[key(of: path, named: name)] = rewritten(value) }
      return
    }
    switch role {
    case .container:
      let isOfLinks = last == "relationships"
      for member in object {
        let inner = path + [member.key]
        let innerName = Array(name.dropLast()) + [member.key]
        guard isOfLinks, case .object(let linkage) = member.value else {
          add(member.value, inner, innerName, to: &result)
          continue
        }
        let key = key(of: inner + ["data"], named: innerName)
        if linkage.count > 1 { ignore(beside: key, in: path) }
        if let data = linkage["data"] { result[key] = rewritten(data) }
      }
    case .part:
      for member in object { add(member.value, path + [member.key], name + [member.key], to: &result) }
    case .wrapper(let list):
      let key = key(of: path + list, named: name)
      if object.count > 1 { ignore(beside: key, in: path) }
      guard case .array(let elements)? = object[list[0]] else { return }
      if incomplete.contains(ScalarString(last)) { incomplete.insert(ScalarString(key)) }
      guard list.count > 1 else {
        result[key] = rewritten(.array(elements))
        return
      }
      var found: [JSONValue] = []
      for case .object(let element) in elements {
        if element.count > 1 { ignore(beside: key, in: path) }
        if let value = element[list[1]], value.kind != .null { found.append(rewritten(value)) }
      }
      result[key] = .array(found)
    case .dictionary(let attribute):
      result[key(of: path, named: name)] = .array(
        Self.items(in: object, keyedBy: attribute).map { .object(rewritten($0)) })
    }
  }

  /// Ignores the keys beside a list. The keys that properties read are never ignored.
  private mutating func ignore(beside key: String, in path: [String]) {
    let pattern = path.joined(separator: ".") + ".*"
    if path.allSatisfy({ !$0.contains("*") }) { ignored[ScalarString(key)] = pattern }
  }

  private mutating func rewritten(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let object): .object(rewritten(object))
    case .array(let elements): .array(elements.map { rewritten($0) })
    case .null, .boolean, .number, .string: value
    }
  }

  // MARK: Dictionaries

  /// Returns the items of a dictionary, with the keys of the dictionary as an attribute.
  static func items(in dictionary: JSONObject, keyedBy attribute: String) -> [JSONObject] {
    dictionary.compactMap { member in
      guard case .object(var item) = member.value else { return nil }
      if item[attribute] == nil {
        item[attribute] =
          Int64(member.key).flatMap { String($0) == member.key ? .number(JSONNumber($0)) : nil }
          ?? .string(member.key)
      }
      return item
    }
  }

  /// Returns a Boolean value that indicates whether an object contains records by key: the keys look like identifiers,
  /// or each record contains its key.
  static func isDictionary(_ object: JSONObject) -> Bool {
    guard !object.isEmpty else { return false }
    return object.allSatisfy { member in
      guard case .object(let item) = member.value else { return false }
      return ItemLocation.isIdentifier(member.key) || isCode(member.key)
        || item.contains { IdentifierChoice.isName($0.key) && $0.value.identifier == member.key }
    }
  }

  /// Returns a Boolean value that indicates whether a text is a code in upper case, such as `EUR`.
  private static func isCode(_ text: String) -> Bool {
    text.utf8.count > 1
      && text.utf8.allSatisfy {
        (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F || $0 == 0x2D
      }
  }

  /// Returns the attribute for the keys of dictionaries: one that contains the key in each item, or else one that no item
  /// has.
  static func attribute(of dictionaries: some Sequence<JSONObject>) -> String {
    var candidates: [String]?
    var hasID = false
    for dictionary in dictionaries {
      for member in dictionary {
        guard case .object(let item) = member.value else { continue }
        let equal = item.keys.filter { IdentifierChoice.isName($0) && item[$0]?.identifier == member.key }
        candidates = candidates?.filter(equal.contains) ?? equal
        hasID = hasID || item["id"] != nil
      }
    }
    return candidates?.first ?? (hasID ? "key" : "id")
  }
}
