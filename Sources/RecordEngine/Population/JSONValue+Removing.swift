import JSONTree
import RecordModel

extension JSONValue {
  /// Adds the members of another object whose keys are missing or null here, as in a `deep` merge.
  /// Rule: `merge.strategy`.
  mutating func fill(from other: JSONValue) {
    guard case .object(var members) = self, case .object(let others) = other else { return }
    for (key, value) in others where members[key] ?? .null == .null { members[key] = value }
    self = .object(members)
  }

  /// Removes the value that a path leads to. A removed array element is replaced by null, so the other elements keep
  /// their positions.
  mutating func remove(_ path: MappingPath) { remove(path.components[...]) }

  private mutating func remove(_ path: ArraySlice<MappingPath.Component>) {
    guard let component = path.first else { return }
    let remainder = path.dropFirst()
    switch (component, self) {
    case (.key(let key), .object(var members)):
      guard var value = members[key] else { return }
      if remainder.isEmpty {
        members[key] = nil
      } else {
        value.remove(remainder)
        members[key] = value
      }
      self = .object(members)
    case (.key, .array(var elements)):
      for index in elements.indices { elements[index].remove(path) }
      self = .array(elements)
    case (.unionOfObjects, .array(var elements)):
      for index in elements.indices { elements[index].remove(remainder) }
      self = .array(elements)
    case (.index(let index), .array(let elements)):
      removeElement(MappingPath.Component.position(ofIndex: index, among: elements.count), remainder)
    case (.first(let condition, let value), .array(let elements)):
      let index = elements.firstIndex { condition.find(in: JSONDocument($0).root)?.node.value == value }
      if let index { removeElement(index, remainder) }
    default: break
    }
  }

  private mutating func removeElement(_ index: Int, _ remainder: ArraySlice<MappingPath.Component>) {
    guard case .array(var elements) = self, elements.indices.contains(index) else { return }
    if remainder.isEmpty { elements[index] = .null } else { elements[index].remove(remainder) }
    self = .array(elements)
  }
}
