/// Bodies can be large and are seldom used. The body of an answer is therefore read on first access, or before it is
/// removed from the file.
extension CacheFile {
  /// A weak reference to a body that answers share.
  struct HandedOutBody {
    weak var body: ResponseBody?
  }

  /// Returns the body of an entry, or nil if the entry no longer exists.
  ///
  /// - Parameter fetch: a closure that the body calls on first access.
  func body(
    of id: Int64, fetch: @escaping @Sendable (ResponseBody) -> Void
  ) throws(SQLiteError) -> ResponseBody? {
    var exists = false
    try connection.query(
      "SELECT typeof(body.bytes) FROM entry LEFT JOIN body USING (id) WHERE entry.id = ?1", [.integer(id)]
    ) { row throws(SQLiteError) in
      guard ["blob", "null"].contains(row.text(0)) else { throw .damaged("a body is missing or not binary") }
      exists = true
    }
    guard exists else { return nil }
    // All answers from one entry share a body, which is read once.
    if let body = bodies[id]?.body { return body }
    if bodies.count >= bodyLimit {
      bodies = bodies.filter { $0.value.body != nil }
      bodyLimit = max(64, 2 * bodies.count)
    }
    let body = ResponseBody(fetch: fetch)
    bodies[id] = HandedOutBody(body: body)
    return body
  }

  /// Reads the body of an entry for the answers that hold it and have not read it yet.
  func handOver(_ id: Int64) throws(SQLiteError) {
    guard let body = bodies[id]?.body, body.isElsewhere else { return }
    body.take(try bytes(of: id))
  }

  /// Reads all bodies that answers hold and have not read yet, because the file will no longer be available. Bodies
  /// that cannot be read become empty.
  func handOverWhatCanBeRead() {
    for id in bodies.keys.sorted() {
      guard let body = bodies[id]?.body, body.isElsewhere else { continue }
      body.take((try? bytes(of: id)) ?? [])
    }
  }

  func bytes(of id: Int64) throws(SQLiteError) -> [UInt8] {
    var bytes: [UInt8] = []
    try connection.query("SELECT bytes FROM body WHERE id = ?1", [.integer(id)]) { row in
      bytes = row.withBytes(0) { Array($0) }
    }
    return bytes
  }
}
