import JSONTree
import RecordModel

extension XcodeModelReader {
  /// The key of user info that names the primary key of an entity.
  static let primaryKeyName = "MMRecordEntityPrimaryAttributeKey"

  /// The meaning of an entry of user info.
  private enum Meaning {
    /// The attributes that identify the records of an entity, separated by commas.
    case primaryKey
    /// A Boolean value that indicates whether an attribute identifies the records of its entity.
    case isPrimaryKey
    /// The path at which a property is read.
    case path
    /// Something that is not read.
    case unread(advice: String)

    var owner: String {
      switch self {
      case .primaryKey: "an entity"
      case .isPrimaryKey: "an attribute"
      case .path, .unread: "an attribute or a relationship"
      }
    }
  }

  /// The keys of MMRecord, followed by those of Groot, MagicalRecord and Sync. The first one that is present counts.
  private static let meanings: [(key: String, meaning: Meaning)] = [
    (primaryKeyName, .primaryKey), ("MMRecordAttributeAlternateNameKey", .path),
    ("identityAttributes", .primaryKey), ("identityAttribute", .primaryKey),
    ("relatedByAttribute", .primaryKey), ("sync.primaryKey", .primaryKey), ("hyper.primaryKey", .primaryKey),
    ("sync.isPrimaryKey", .isPrimaryKey), ("hyper.isPrimaryKey", .isPrimaryKey),
    ("JSONKeyPath", .path), ("mappedKeyName", .path), ("sync.remoteKey", .path), ("hyper.remoteKey", .path),
    ("JSONTransformerName", .unread(advice: "name a value transformer with 'transformer'")),
    ("JSONDictionaryTransformerName", .unread(advice: "replace the dictionary in a marshaler")),
    ("entityMapperName", .unread(advice: "choose sub-entities with 'usedWhen'")),
    ("dateFormat", .unread(advice: "declare it with 'dateFormat'")),
  ]

  private typealias Entry = (value: String, element: XcodeModelElement)

  /// Reads the primary key in the user info of an entity.
  mutating func readPrimaryKey(
    of entity: inout EntityDescription, in userInfo: XcodeModelElement, at path: [String]
  ) {
    let entry = entry(of: userInfo, at: path) { if case .primaryKey = $0 { true } else { false } }
    guard let entry else { return }
    note(path + ["primaryKey"], entry.element)
    let names = entry.value.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
    if names.isEmpty || names.contains("") {
      report("primary-key", at: path + ["primaryKey"], entry.element, "the primary key must name a property")
    } else {
      entity.primaryKey = names.map { PropertyName($0) }
    }
  }

  /// Returns a Boolean value that indicates whether the user info of an attribute makes it the primary key.
  func isPrimaryKey(_ element: XcodeModelElement) -> Bool {
    for entry in element.children.filter({ $0.name == "userInfo" }).flatMap(\.children) {
      guard let meaning = Self.meaning(of: entry), case .isPrimaryKey = meaning else { continue }
      return ["yes", "true", "1"].contains(entry.attributes["value"]?.lowercased())
    }
    return false
  }

  /// Returns the alternate names in the user info of a property.
  mutating func alternateNames(of element: XcodeModelElement, at path: [String]) -> [MappingPath] {
    var paths: [MappingPath] = []
    for info in element.children where info.name == "userInfo" {
      let entry = entry(of: info, at: path) { meaning in
        switch meaning {
        case .path: true
        case .isPrimaryKey, .primaryKey, .unread: false
        }
      }
      guard let entry else { continue }
      note(path + ["from"], entry.element)
      do throws(MappingPathSyntaxError) {
        paths.append(try MappingPath(entry.value))
      } catch {
        report("mapping-path", at: path + ["from"], entry.element, error.message, advice: error.advice)
      }
    }
    return paths
  }

  private static func meaning(of entry: XcodeModelElement) -> Meaning? {
    meanings.first { $0.key == entry.attributes["key"] }?.meaning
  }

  /// Returns the first entry with a known key of the wanted meaning. Known keys that belong elsewhere, or that are not read, and
  /// unknown keys of MMRecord are reported; all other entries belong to the app.
  private mutating func entry(
    of userInfo: XcodeModelElement, at path: [String], where isWanted: (Meaning) -> Bool
  ) -> Entry? {
    var found: (rank: Int, entry: Entry)?
    for entry in userInfo.children where entry.name == "entry" {
      guard let key = entry.attributes["key"] else { continue }
      if let rank = Self.meanings.firstIndex(where: { $0.key == key }) {
        let meaning = Self.meanings[rank].meaning
        if isWanted(meaning) {
          if rank < found?.rank ?? .max { found = (rank, (entry.attributes["value"] ?? "", entry)) }
        } else if case .unread(let advice) = meaning {
          warn(.userInfo, at: path, entry, "the user info '\(key)' is ignored", advice: advice)
        } else if !belongs(meaning, to: path) {
          warn(
            .userInfo, at: path, entry, "'\(key)' is ignored here", advice: "it belongs to \(meaning.owner)")
        }
      } else if key.lowercased().hasPrefix("mmrecord") {
        let near = nearestName(to: key, among: Self.meanings.map(\.key))
        warn(
          .userInfo, at: path, entry, "unknown user info key '\(key)'",
          advice: near.map { "did you mean '\($0)'?" })
      }
    }
    return found?.entry
  }

  /// Returns a Boolean value that indicates whether a meaning applies to the part of the model at a path.
  private func belongs(_ meaning: Meaning, to path: [String]) -> Bool {
    if case .isPrimaryKey = meaning { path.dropLast().last == "attributes" } else { false }
  }
}
