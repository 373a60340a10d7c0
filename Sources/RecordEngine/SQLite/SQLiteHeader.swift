/// The header of a database file.
struct SQLiteHeader {
  /// The identifier of the application that owns the file.
  let applicationID: Int64
  /// The version of the owner's file format.
  let userVersion: Int64
  /// A Boolean value that indicates whether the header is complete. Otherwise, missing numbers are 0.
  let isWhole: Bool

  static let length = 100
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Parses a header; nil if the file is not a database.
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
