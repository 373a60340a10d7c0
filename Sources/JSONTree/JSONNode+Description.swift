extension JSONNode: CustomStringConvertible, CustomReflectable {
  /// The value as JSON on one line.
  public var description: String { value.compactText() }

  /// The members of an object, or the elements of an array.
  public var customMirror: Mirror { value.customMirror }
}

extension JSONValue: CustomStringConvertible, CustomReflectable {
  /// The value as JSON on one line.
  public var description: String { compactText() }

  /// The members of an object, or the elements of an array.
  public var customMirror: Mirror {
    switch self {
    case .array(let elements): Mirror(self, unlabeledChildren: elements, displayStyle: .collection)
    case .object(let members):
      Mirror(self, children: members.map { (label: $0.key, value: $0.value) }, displayStyle: .struct)
    case .null, .boolean, .number, .string: Mirror(self, children: [])
    }
  }
}
