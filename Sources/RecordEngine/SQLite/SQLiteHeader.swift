/// What the first bytes of a database file say of it.
struct SQLiteHeader {
  /// Whose it is.
  let applicationID: Int64
  /// The version of what its owner writes.
  let userVersion: Int64
  /// Whether it is there to the end; otherwise the numbers may be 0 for want of bytes.
  let isWhole: Bool

  static let length = 100
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Nil for what is no database.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.magic) else { return nil }
    func number(at offset: Int) -> Int64 {
      guard bytes.count >= offset + 4 else { return 0 }
      return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int64($1) }
    }
    applicationID = number(at: 68)
    userVersion = number(at: 60)
    isWhole = bytes.count >= Self.length
  }
}
