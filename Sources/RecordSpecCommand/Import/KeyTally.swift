import JSONTree
import OrderedCollections

/// The values of a key in all objects of a session.
struct KeyTally {
  private var objects = 0
  private var emptyObjects = 0
  private var lists = 0
  private var scalars = 0
  private var objectsInRecords = 0
  /// The objects that contain a list, by the path of the list.
  private var wrappers: OrderedDictionary<[String], Int> = [:]
  /// The objects with values that describe a list, and without one.
  private var describing = 0
  private var dictionaries: [JSONObject] = []
  private var partObjects = 0
  /// The keys of the objects.
  private(set) var keys: Set<ScalarString> = []
  /// The keys of objects inside of the objects.
  private(set) var innerKeys: Set<ScalarString> = []

  mutating func add(_ value: JSONValue, key: String, isInRecord: Bool) {
    switch value {
    case .null: break
    case .boolean, .number, .string: scalars += 1
    case .array: lists += 1
    case .object(let object):
      objects += 1
      if isInRecord { objectsInRecords += 1 }
      if object.isEmpty { emptyObjects += 1 }
      if let path = ItemLocation.wrappedList(of: object) { wrappers[path, default: 0] += 1 }
      if ItemLocation.onlyDescribes(object) { describing += 1 }
      if ObjectLayout.isDictionary(object) { dictionaries.append(object) }
      let identifiers = IdentifierChoice.candidates(in: [.init(object: object)], named: key)
      let isReference = object["name"] != nil && object["url"] != nil
      var isPart = !isReference && identifiers.allSatisfy(IdentifierChoice.isWeak)
      for member in object where isPart {
        switch member.value {
        case .object:
          innerKeys.insert(ScalarString(member.key))
        case .array(let elements): isPart = elements.allSatisfy { $0.kind != .object && $0.kind != .array }
        default: break
        }
        if ItemLocation.isIdentifier(member.key) { isPart = false }
      }
      if isPart {
        partObjects += 1
        for member in object { keys.insert(ScalarString(member.key)) }
      }
    }
  }

  var hasOtherValues: Bool { describing > 0 || scalars > 0 || lists > 0 }

  /// The path of the list that all objects contain; nil if there is no such list.
  var wrapperPath: [String]? {
    guard let path = wrappers.keys.max(by: { $0.count < $1.count }),
      wrappers.keys.allSatisfy({ $0[0] == path[0] }),
      wrappers.values.reduce(0, +) + describing + emptyObjects == objects
    else { return nil }
    return path
  }

  var dictionaryAttribute: String? {
    guard !dictionaries.isEmpty, dictionaries.count + emptyObjects == objects else { return nil }
    return ObjectLayout.attribute(of: dictionaries)
  }

  func isContainer(_ key: String) -> Bool {
    Self.containers.contains(key) && objects > 0 && objectsInRecords == objects && lists + scalars == 0
  }

  private static let containers: Set<String> = [
    "attributes", "relationships", "fields", "properties", "_source",
  ]

  var mayBePart: Bool {
    objects > emptyObjects && partObjects == objects && lists + scalars == 0 && !keys.isEmpty
  }
}
