import JSONTree
import RecordModel

/// A made-up response with one item of an entity, by which authors see the form of a response.
struct SampleResponse {
  let entity: EntityName
  /// The address of the response: `issues` for `Issue`.
  let address: String
  let body: JSONValue

  /// Creates a response. The item has a value for each attribute whose type has an obvious one.
  init(of entity: SchemaEntity, address: String) {
    self.entity = entity.name
    self.address = address
    var item = JSONObject()
    for attribute in entity.attributes {
      guard let keys = attribute.paths.first.flatMap(Self.keys), let value = Self.value(of: attribute) else {
        continue
      }
      Self.set(value, at: keys[...], in: &item)
    }
    var body = JSONValue.object(item)
    if entity.responseKeyedBy != nil { body = ["1": body] } else { body = [body] }
    for key in (entity.responseKeyPath.flatMap(Self.keys) ?? []).reversed() {
      body = .object(JSONObject([(key, body)]))
    }
    self.body = body
  }

  /// Returns the keys of a path; nil if it has other components.
  private static func keys(of path: MappingPath) -> [String]? {
    var keys: [String] = []
    for component in path.components {
      guard case .key(let key) = component else { return nil }
      keys.append(key)
    }
    return keys
  }

  /// Sets a value at a path, unless a part of the path already has a value that is not an object.
  private static func set(_ value: JSONValue, at keys: ArraySlice<String>, in object: inout JSONObject) {
    guard let key = keys.first else { return }
    guard keys.count > 1 else {
      if object[key] == nil { object[key] = value }
      return
    }
    var inner: JSONObject
    switch object[key] {
    case nil: inner = JSONObject()
    case .object(let existing)?: inner = existing
    default: return
    }
    set(value, at: keys.dropFirst(), in: &inner)
    object[key] = .object(inner)
  }

  private static func value(of attribute: SchemaAttribute) -> JSONValue? {
    switch attribute.type {
    case .int16, .int32, .int64, .float, .double, .decimal: 1
    case .boolean: true
    case .string: .string(attribute.name.rawValue)
    case .uuid: "00000000-0000-0000-0000-000000000001"
    case .uri: "https://api.test/1"
    case .date:
      attribute.dateFormat.map { format in
        format.readsNumbers
          ? .number(JSONNumber(1_925_366_400 * (format.unit == .seconds ? 1 : 1000)))
          : dates.first { format.date(from: $0) != nil }.map(JSONValue.string)
      } ?? nil
    case .binary, .transformable: nil
    }
  }

  /// The same day in common formats.
  private static let dates = ["2031-01-05T08:30:00Z", "2031-01-05", "2031-01-05 08:30:00", "05.01.2031"]
}
