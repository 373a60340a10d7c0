import JSONTree
import TestSupport

/// A generator of files that are almost right: it renames, adds, removes and moves the parts of a file.
struct FileMutator {
  private var random: SeededGenerator
  private let keys: [String]

  /// - Parameter keys: the keys of the format.
  init(seed: UInt64, keys: [String]) {
    random = SeededGenerator(seed: seed)
    self.keys = keys
  }

  /// Returns a random element of a list.
  mutating func element<Element>(of list: [Element]) -> Element? { list.randomElement(using: &random) }

  mutating func mutant(of file: JSONValue) -> JSONValue {
    var value = file
    for _ in 0..<Int.random(in: 1...2, using: &random) { value = changed(value, in: value) }
    return value
  }

  /// Descends to a random part and changes it. Parts near the root are more likely.
  private mutating func changed(_ value: JSONValue, in whole: JSONValue) -> JSONValue {
    let stops = Int.random(in: 0..<5, using: &random) == 0
    switch value {
    case .object(var members) where !members.isEmpty && !stops:
      guard let key = members.keys.randomElement(using: &random), let member = members[key] else {
        return value
      }
      members[key] = changed(member, in: whole)
      return .object(members)
    case .array(var elements) where !elements.isEmpty && !stops:
      let index = elements.indices.randomElement(using: &random) ?? 0
      elements[index] = changed(elements[index], in: whole)
      return .array(elements)
    case .object(let members) where Int.random(in: 0..<4, using: &random) > 0:
      return .object(changedKeys(members))
    default: return replacement(for: value, in: whole)
    }
  }

  private mutating func changedKeys(_ members: JSONObject) -> JSONObject {
    let name = members.keys.randomElement(using: &random)
    let other = keys.randomElement(using: &random) ?? "a"
    var result = JSONObject()
    switch Int.random(in: 0..<5, using: &random) {
    case 0:  // A key is missing.
      for (key, value) in members where key != name { result[key] = value }
    case 1:  // A key is misspelled.
      for (key, value) in members { result[key == name ? String(key.dropLast()) : key] = value }
    case 2:  // A key has the name of another one.
      for (key, value) in members { result[key == name ? other : key] = value }
    case 3:  // A key is one level too far out.
      for (key, value) in members {
        if key == name, case .object(let inner) = value {
          result.merge(inner)
        } else {
          result[key] = value
        }
      }
    default:  // A key is too many.
      result = members
      result[other] = name.flatMap { members[$0] } ?? simple()
    }
    return result
  }

  /// Returns a value of another kind, or a value that belongs elsewhere.
  private mutating func replacement(for value: JSONValue, in whole: JSONValue) -> JSONValue {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return [value]
    case 1:
      return .object(
        [(keys.randomElement(using: &random) ?? "a", value)].reduce(into: [:]) { $0[$1.0] = $1.1 })
    case 2: return part(of: whole)
    case 3:
      if case .array(let elements) = value, let first = elements.first { return first }
      if case .object(let members) = value, let first = members.first { return first.value }
      return simple()
    default: return simple()
    }
  }

  private mutating func part(of value: JSONValue) -> JSONValue {
    let children: [JSONValue] =
      switch value {
      case .object(let members): members.values
      case .array(let elements): elements
      default: []
      }
    guard let child = children.randomElement(using: &random) else { return value }
    return Int.random(in: 0..<3, using: &random) == 0 ? child : part(of: child)
  }

  private mutating func simple() -> JSONValue {
    let values: [JSONValue] = [
      nil, true, false, 0, 1, -3, 1.5, "", " ", "x", "none", "Post/1", "7", [], [:], ["x"], [1], ["x": 1],
      ["x": "y"], [["x": 1]],
    ]
    return values.randomElement(using: &random) ?? nil
  }
}
