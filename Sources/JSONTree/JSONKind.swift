/// What a JSON value is; the raw value is the word for it in messages.
public enum JSONKind: String, Hashable, Sendable, CaseIterable {
  case null, boolean, number, string, array, object
}
