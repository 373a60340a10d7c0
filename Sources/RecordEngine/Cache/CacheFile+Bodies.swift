/// Bodies may be large, and few are looked at. So an answer has a body that is read when somebody asks for it, or before it
/// goes from the file.
extension CacheFile {
  struct HandedOutBody {
    weak var body: ResponseBody?
  }

  /// The body of an entry; nil if the entry is gone.
  ///
  /// - Parameter fetch: what the body calls when somebody asks for it.
  func body(
    of id: Int64, fetch: @escaping @Sendable (ResponseBody) -> Void
  ) throws(SQLiteError) -> ResponseBody? {
    var isThere = false
    try connection.query(
      "SELECT typeof(body.bytes) FROM entry LEFT JOIN body USING (id) WHERE entry.id = ?1", [.integer(id)]
    ) { row throws(SQLiteError) in
      guard ["blob", "null"].contains(row.text(0)) else { throw .damaged("a body is none") }
      isThere = true
    }
    guard isThere else { return nil }
    // Two answers have one body between them, which is read once.
    if let body = bodies[id]?.body { return body }
    if bodies.count >= bodyLimit {
      bodies = bodies.filter { $0.value.body != nil }
      bodyLimit = max(64, 2 * bodies.count)
    }
    let body = ResponseBody(fetch: fetch)
    bodies[id] = HandedOutBody(body: body)
    return body
  }

  /// Reads the body of an entry for those who have it.
  func handOver(_ id: Int64) throws(SQLiteError) {
    guard let body = bodies[id]?.body, body.isElsewhere else { return }
    body.take(try bytes(of: id))
  }

  /// Reads all bodies that somebody has, as far as they can be: the file goes.
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
