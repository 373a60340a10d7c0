import RecordModel

extension RequestResult: CustomStringConvertible, CustomReflectable {
  /// The number of records, of changes and of diagnostics, and the source of the response:
  /// `3 records from the server (2 inserted, 1 updated), 1 diagnostic`.
  public var description: String {
    let counts = [
      (changes.inserted.count, "inserted"), (changes.updated.count, "updated"),
      (changes.deleted.count, "deleted"),
    ]
    let changed = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    return "\(counted(records.count, "record")) from \(served.source)"
      + " (\(changed.isEmpty ? "nothing changed" : changed))"
      + (diagnostics.isEmpty ? "" : ", \(counted(diagnostics.count, "diagnostic"))")
  }

  /// The stored parts of the result, for `dump`.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "records": records, "changes": changes, "diagnostics": diagnostics, "drift": drift as Any,
        "responseObject": responseObject as Any, "headers": headers, "served": served,
        "pageManager": pageManager as Any,
      ], displayStyle: .struct)
  }
}

extension Served {
  fileprivate var source: String {
    switch self {
    case .network: "the server"
    case .cache: "the cache"
    case .revalidated: "the cache, confirmed by the server"
    case .stale: "the cache, because the server failed"
    }
  }
}
