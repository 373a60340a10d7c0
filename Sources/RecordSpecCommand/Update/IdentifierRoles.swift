import RecordModel

/// The entities whose records the values of keys and the parts of addresses identify, by the names in models.
struct IdentifierRoles {
  /// The role of identifiers whose entity is unknown.
  static let unknown = ""

  /// The name of the entity that declares the key, by the words of a name; the unknown role for an ambiguous name.
  private var entities: [String: String] = [:]
  /// The keys of items from which primary keys are read.
  private var keys: Set<String> = []

  /// Adds the entities and relationships of a model.
  mutating func add(_ schema: Schema) {
    for entity in schema.entities {
      let root = schema.entities[entity.keyScope].name.rawValue
      add(entity.name.rawValue, root)
      for index in entity.relationships {
        let relationship = schema.relationships[index]
        let destination = schema.entities[relationship.destination]
        let name = schema.entities[destination.keyScope].name.rawValue
        add(relationship.name.rawValue, name)
        for path in relationship.paths { if let key = Self.lastKey(of: path) { add(key, name) } }
      }
      guard case .attributes(let indices) = entity.key else { continue }
      for index in indices {
        keys.formUnion(entity.attributes[index].paths.compactMap(Self.lastKey))
      }
    }
  }

  private static func lastKey(of path: MappingPath) -> String? {
    guard case .key(let key)? = path.components.last else { return nil }
    return key
  }

  private mutating func add(_ name: String, _ entity: String) {
    let words = Self.subject(of: name)
    guard !words.isEmpty else { return }
    entities[words] = entities[words, default: entity] == entity ? entity : Self.unknown
  }

  /// Returns the words of a name in the singular and without those for identifiers: `user` for `user_ids`.
  private static func subject(of name: String) -> String {
    var words = KeyWords.words(of: name)
    while let last = words.last, identifierWords.contains(last) { words.removeLast() }
    guard let last = words.popLast() else { return "" }
    return (words + [Nouns.singular(last)]).joined()
  }

  private static let identifierWords: Set<String> = ["id", "ids", "uuid", "uuids", "guid", "guids"]
  /// The last words of keys whose values differ in each session, although they identify no record.
  private static let otherWords: Set<String> = ["sha", "etag", "cursor", "nonce"]

  /// Returns a Boolean value that indicates whether the values of a key are identifiers.
  func isIdentifier(_ key: String) -> Bool {
    if keys.contains(key) { return true }
    guard let last = KeyWords.words(of: key).last else { return false }
    return Self.identifierWords.contains(last) || Self.otherWords.contains(last)
  }

  /// Returns a Boolean value that indicates whether the values of a key identify the objects that contain them.
  func isOwnIdentifier(_ key: String) -> Bool {
    keys.contains(key) || isIdentifier(key) && Self.subject(of: key).isEmpty
  }

  /// Returns the role of the values of a key.
  ///
  /// - Parameter noun: the key or the part of the address before the object with the key.
  func role(of key: String, in noun: String) -> String {
    let subject = isOwnIdentifier(key) ? Self.subject(of: noun) : Self.subject(of: key)
    return entities[subject] ?? Self.unknown
  }

  /// Returns the noun for the objects under a key: the one around them if the key only groups them, such as `data`.
  func noun(_ key: String, in noun: String) -> String {
    Self.groups.contains(KeyWords.joined(key)) && entities[Self.subject(of: key)] == nil ? noun : key
  }

  private static let groups: Set<String> = [
    "data", "items", "results", "edges", "edge", "nodes", "node", "attributes", "records", "list", "values",
    "value", "content", "contents", "entries", "embedded", "collection", "response", "payload",
  ]
}
