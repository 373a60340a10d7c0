import JSONTree
import RecordModel

extension [String: String] {
  /// Returns the value of a header. The case of the name is ignored.
  package func header(_ name: String) -> String? {
    // If a name has several spellings, the same one is used every time.
    filter { areOneHeader($0.key, name) }.min { scalarsPrecede($0.key, $1.key) }?.value
  }

  /// Sets a header, and removes all other spellings of its name.
  package mutating func setHeader(_ name: String, to value: String) {
    self = filter { !areOneHeader($0.key, name) }
    self[name] = value
  }
}
