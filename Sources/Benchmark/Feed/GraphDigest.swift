/// The tables that store the feed, for every contender.
enum FeedTable: String, CaseIterable {
  case post, user, counts, source, tag
  /// The links between posts and tags.
  case postTag

  enum Kind {
    /// Integers, Boolean values as 0 and 1, and dates as seconds since 1970.
    case integer
    case double, text
  }

  /// The columns of a row that are compared, in this order. References are the keys of the records that they refer to.
  var columns: [(name: String, kind: Kind)] {
    switch self {
    case .post:
      [
        ("id", .integer), ("text", .text), ("createdAt", .integer), ("editedAt", .integer),
        ("threadID", .integer), ("replyTo", .integer), ("language", .text), ("replies", .integer),
        ("reposts", .integer), ("stars", .integer), ("machineOnly", .integer), ("score", .double),
        ("canonicalURL", .text), ("user", .integer), ("source", .text),
      ]
    case .user:
      [
        ("id", .integer), ("username", .text), ("name", .text), ("about", .text), ("locale", .text),
        ("timezone", .text), ("avatarURL", .text), ("coverURL", .text), ("createdAt", .integer),
        ("verified", .integer), ("kind", .text), ("reputation", .double),
      ]
    case .counts:
      [
        ("user", .integer), ("following", .integer), ("followers", .integer), ("posts", .integer),
        ("stars", .integer),
      ]
    case .source: [("clientID", .text), ("name", .text), ("link", .text)]
    case .tag: [("slug", .text), ("label", .text)]
    case .postTag: [("post", .integer), ("tag", .text)]
    }
  }
}

/// A summary of a graph: the number of rows of each table, and a checksum of all their values. The order of rows has no
/// effect on it.
struct GraphDigest: Equatable {
  struct Table: Equatable {
    var rows = 0
    var checksum: UInt64 = 0
  }

  private(set) var tables: [FeedTable: Table] = [:]

  mutating func add(_ row: RowDigest, to table: FeedTable) {
    tables[table, default: Table()].rows += 1
    tables[table, default: Table()].checksum &+= row.checksum
  }

  /// Returns the differences from the expected digest, one line for each table.
  func differences(from expected: GraphDigest) -> [String] {
    FeedTable.allCases.compactMap { table in
      let (found, wanted) = (tables[table] ?? Table(), expected.tables[table] ?? Table())
      if found == wanted { return nil }
      return found.rows == wanted.rows
        ? "the \(found.rows) rows of \(table.rawValue) hold other values than the feed"
        : "\(table.rawValue) has \(found.rows) rows, and the feed \(wanted.rows)"
    }
  }
}

/// The checksum of a row: FNV-1a of its values, each with a marker for its type.
struct RowDigest {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The hash with mixed bits, because the checksums of rows are added.
  var checksum: UInt64 {
    let mixed = (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93
    return mixed ^ (mixed >> 32)
  }

  mutating func append(_ value: Int64?) {
    append(byte: value == nil ? 0 : 1)
    if let value { append(bits: UInt64(bitPattern: value)) }
  }

  mutating func append(_ value: Double?) {
    append(byte: value == nil ? 0 : 2)
    if let value { append(bits: value.bitPattern) }
  }

  mutating func append(_ value: String?) {
    append(byte: value == nil ? 0 : 3)
    for byte in (value ?? "").utf8 { append(byte: byte) }
    append(byte: 0xFF)
  }

  private mutating func append(bits: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      append(byte: UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
  }

  private mutating func append(byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
