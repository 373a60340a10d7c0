/// The kind of a JSON value. The raw value is its name in messages.
public enum JSONKind: String, Hashable, Sendable, CaseIterable {
  case null, boolean, number, string, array, object
}
