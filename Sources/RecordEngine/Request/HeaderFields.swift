extension [String: String] {
  /// The value of a header, whose name may be written in any case.
  package func header(_ name: String) -> String? {
    // Of several spellings of one name, the same one every time.
    filter { $0.key.lowercased() == name.lowercased() }.min { $0.key < $1.key }?.value
  }
}
