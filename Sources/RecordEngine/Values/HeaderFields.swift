import JSONTree
import RecordModel

extension [String: String] {
  /// The value of a header, whose name may be written in any case.
  package func header(_ name: String) -> String? {
    // Of several spellings of one name, the same one every time.
    filter { areOneHeader($0.key, name) }.min { scalarsPrecede($0.key, $1.key) }?.value
  }

  /// Sets a header in place of all spellings of its name.
  package mutating func setHeader(_ name: String, to value: String) {
    self = filter { !areOneHeader($0.key, name) }
    self[name] = value
  }
}
