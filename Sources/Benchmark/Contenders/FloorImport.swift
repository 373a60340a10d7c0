import Foundation
import JSONTree
import RecordModel

/// The import of one response into the tables.
struct FloorImport {
  private let tape: TapeReader
  private let tables: FloorTables
  private let dateFormat: DateFormat
  /// A Boolean value that indicates whether the tables are empty, so that no look-up is needed.
  private let isFresh: Bool
  private var nextPost, nextUser, nextCounts, nextSource, nextTag: Int64
  /// The primary keys of the records that the response contains so far, by their keys.
  private var posts: [Int64: Int64] = [:]
  private var users: [Int64: Int64] = [:]
  private var sources: [Text: Int64] = [:]
  private var tags: [Text: Int64] = [:]

  /// A text that is compared by its bytes.
  private struct Text: Hashable {
    var bytes: UnsafeBufferPointer<UInt8>

    static func == (left: Text, right: Text) -> Bool {
      guard left.bytes.count == right.bytes.count else { return false }
      guard let start = left.bytes.baseAddress, let other = right.bytes.baseAddress else { return true }
      return memcmp(start, other, left.bytes.count) == 0
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
  }

  init(_ tape: TapeReader, _ tables: FloorTables) throws {
    self.tape = tape
    self.tables = tables
    dateFormat = try DateFormat("yyyy-MM-dd'T'HH:mm:ss'Z'")
    let next = try tables.greatest.map { statement in
      defer { statement.reset() }
      return try statement.step() ? statement.integer(0) + 1 : 1
    }
    (nextPost, nextUser, nextCounts, nextSource, nextTag) = (next[0], next[1], next[2], next[3], next[4])
    isFresh = nextPost == 1
  }

  mutating func importPosts() throws {
    let members = tables.post.members
    try withUnsafeTemporaryAllocation(of: Int.self, capacity: members.count) { indices in
      guard var index = Self.member("data", of: 0, tape) else { throw BenchmarkFailure("no data") }
      let end = tape.index(after: index)
      index += 2
      while index < end {
        try importPost(index, indices)
        index = tape.index(after: index)
      }
    }
  }

  private mutating func importPost(_ object: Int, _ indices: UnsafeMutableBufferPointer<Int>) throws {
    let statements = tables.post
    Self.read(object, statements.members, indices, tape)
    let columns = statements.table.columns.count
    let id = try Self.integer(tape.text(at: indices[0]))
    guard posts[id] == nil else { return }
    let user = try importUser(indices[columns])
    let source = try Self.importText(
      indices[columns + 1], tables.source, "client_id", tape, dateFormat, isFresh, &sources, &nextSource)
    let (post, isNew) = try Self.store(
      indices, statements, key: .integer(id), references: (user, source), tape, dateFormat, isFresh, &nextPost
    )
    posts[id] = post

    var known: [Int64] = []
    if !isNew {
      tables.findTags.bind(post, at: 1)
      while try tables.findTags.step() { known.append(tables.findTags.integer(0)) }
      tables.findTags.reset()
    }
    var index = indices[columns + 2] + 2
    let end = tape.index(after: index - 2)
    while index < end {
      let tag = try Self.importText(index, tables.tag, "slug", tape, dateFormat, isFresh, &tags, &nextTag)
      if !known.contains(tag) {
        tables.insertTag.bind(post, at: 1)
        tables.insertTag.bind(tag, at: 2)
        try tables.insertTag.run()
      }
      index = tape.index(after: index)
    }
  }

  private mutating func importUser(_ object: Int) throws -> Int64 {
    guard let index = Self.member("id", of: object, tape) else { throw BenchmarkFailure("a user without id") }
    let id = try Self.integer(tape.text(at: index))
    if let known = users[id] { return known }
    let (tape, tables, dateFormat, isFresh) = (tape, tables, dateFormat, isFresh)
    let (user, counts) = try withUnsafeTemporaryAllocation(of: Int.self, capacity: tables.user.members.count)
    {
      indices in
      Self.read(object, tables.user.members, indices, tape)
      let (user, _) = try Self.store(
        indices, tables.user, key: .integer(id), references: (nil, nil), tape, dateFormat, isFresh, &nextUser)
      return (user, indices[tables.user.table.columns.count])
    }
    _ = try withUnsafeTemporaryAllocation(of: Int.self, capacity: tables.counts.members.count) { indices in
      Self.read(counts, tables.counts.members, indices, tape)
      return try Self.store(
        indices, tables.counts, key: .integer(user), references: (user, nil), tape, dateFormat, isFresh,
        &nextCounts)
    }
    users[id] = user
    return user
  }

  /// Imports a source or a tag, whose key is a text. Returns its primary key.
  private static func importText(
    _ object: Int, _ statements: FloorStatements, _ key: StaticString, _ tape: TapeReader,
    _ dateFormat: DateFormat, _ isFresh: Bool, _ known: inout [Text: Int64], _ next: inout Int64
  ) throws -> Int64 {
    guard let index = member(key, of: object, tape) else { throw BenchmarkFailure("an object without key") }
    let text = Text(bytes: tape.text(at: index))
    if let primaryKey = known[text] { return primaryKey }
    let (primaryKey, _) = try withUnsafeTemporaryAllocation(of: Int.self, capacity: statements.members.count)
    {
      indices in
      read(object, statements.members, indices, tape)
      return try store(
        indices, statements, key: .text(text.bytes), references: (nil, nil), tape, dateFormat, isFresh, &next)
    }
    known[text] = primaryKey
    return primaryKey
  }
}

// MARK: - Records

extension FloorImport {
  private enum Key {
    case integer(Int64)
    case text(UnsafeBufferPointer<UInt8>)
  }

  /// Inserts a record, or updates an existing one that differs. Returns its primary key, and whether it is new.
  private static func store(
    _ indices: UnsafeMutableBufferPointer<Int>, _ statements: FloorStatements, key: Key,
    references: (Int64?, Int64?), _ tape: TapeReader, _ dateFormat: DateFormat, _ isFresh: Bool,
    _ next: inout Int64
  ) throws -> (Int64, isNew: Bool) {
    let columns = statements.table.columns
    let count = Int32(columns.count + statements.table.references.count)
    var known: Int64?
    if !isFresh {
      let find = statements.find
      switch key {
      case .integer(let value): find.bind(value, at: 1)
      case .text(let value): find.bind(value, at: 1)
      }
      defer { find.reset() }
      if try find.step() {
        let primaryKey = find.integer(count)
        if try isSame(indices, columns, references, find, tape, dateFormat) { return (primaryKey, false) }
        known = primaryKey
      }
    }
    let write = known == nil ? statements.insert : statements.update
    for position in columns.indices {
      try bind(indices[position], columns[position].kind, write, at: Int32(position + 1), tape, dateFormat)
    }
    let first = Int32(columns.count + 1)
    if let reference = references.0 { write.bind(reference, at: first) }
    if let reference = references.1 { write.bind(reference, at: first + 1) }
    let primaryKey = known ?? next
    if known == nil { next += 1 }
    write.bind(primaryKey, at: count + 1)
    try write.run()
    return (primaryKey, known == nil)
  }

  private static func bind(
    _ index: Int, _ kind: FloorTable.Kind, _ statement: RawStatement, at parameter: Int32, _ tape: TapeReader,
    _ dateFormat: DateFormat
  ) throws {
    guard index >= 0, tape.kind(at: index) != .null else { return statement.bindNull(at: parameter) }
    let text = tape.text(at: index)
    switch kind {
    case .integer: statement.bind(try integer(text), at: parameter)
    case .double: statement.bind(try double(text), at: parameter)
    case .boolean: statement.bind(text.first == UInt8(ascii: "t") ? 1 as Int64 : 0, at: parameter)
    case .date: statement.bind(try date(text, dateFormat), at: parameter)
    case .text:
      if let text = tape.unescapedText(at: index) {
        statement.bind(copy: text, at: parameter)
      } else {
        statement.bind(text, at: parameter)
      }
    case .nested: break
    }
  }

  /// Returns whether the current row of a statement has these values.
  private static func isSame(
    _ indices: UnsafeMutableBufferPointer<Int>, _ columns: [FloorTable.Column],
    _ references: (Int64?, Int64?),
    _ row: RawStatement, _ tape: TapeReader, _ dateFormat: DateFormat
  ) throws -> Bool {
    for position in columns.indices {
      let (index, column) = (indices[position], Int32(position))
      guard index >= 0, tape.kind(at: index) != .null else {
        if row.isNull(column) { continue } else { return false }
      }
      if row.isNull(column) { return false }
      let text = tape.text(at: index)
      let isSame =
        switch columns[position].kind {
        case .integer: row.integer(column) == (try integer(text))
        case .double: row.double(column) == (try double(text))
        case .boolean: row.integer(column) == (text.first == UInt8(ascii: "t") ? 1 : 0)
        case .date: row.double(column) == (try date(text, dateFormat))
        case .text:
          if let text = tape.unescapedText(at: index) {
            text.withUnsafeBufferPointer { Text(bytes: row.text(column)) == Text(bytes: $0) }
          } else {
            Text(bytes: row.text(column)) == Text(bytes: text)
          }
        case .nested: true
        }
      if !isSame { return false }
    }
    let first = Int32(columns.count)
    if let reference = references.0, row.integer(first) != reference { return false }
    if let reference = references.1, row.integer(first + 1) != reference { return false }
    return true
  }
}

// MARK: - Reading the tape

extension FloorImport {
  /// Finds the members of an object; -1 for missing ones. Looks for them in their usual order first.
  private static func read(
    _ object: Int, _ members: [FloorTable.Column], _ indices: UnsafeMutableBufferPointer<Int>,
    _ tape: TapeReader
  ) {
    indices.initialize(repeating: -1)
    var index = object + 2
    let end = tape.index(after: object)
    var expected = 0
    members.withUnsafeBufferPointer { members in
      while index < end {
        let key = tape.text(at: index)
        for distance in 0..<members.count {
          var candidate = expected + distance
          if candidate >= members.count { candidate -= members.count }
          if members[candidate].key.withUnsafeBufferPointer({ Text(bytes: $0) == Text(bytes: key) }) {
            indices[candidate] = index + 1
            expected = candidate + 1
            break
          }
        }
        index = tape.index(after: index + 1)
      }
    }
  }

  private static func member(_ name: StaticString, of object: Int, _ tape: TapeReader) -> Int? {
    let name = Text(bytes: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    var index = object + 2
    let end = tape.index(after: object)
    while index < end {
      if Text(bytes: tape.text(at: index)) == name { return index + 1 }
      index = tape.index(after: index + 1)
    }
    return nil
  }

  private static func integer(_ text: UnsafeBufferPointer<UInt8>) throws -> Int64 {
    let isNegative = text.first == UInt8(ascii: "-")
    var value: Int64 = 0
    for byte in text[(isNegative ? 1 : 0)...] {
      guard byte &- UInt8(ascii: "0") < 10 else { throw BenchmarkFailure("no integer") }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return isNegative ? -value : value
  }

  private static func double(_ text: UnsafeBufferPointer<UInt8>) throws -> Double {
    // A number in an object is followed by a byte that cannot be part of a number.
    guard let start = text.baseAddress else { throw BenchmarkFailure("no number") }
    return start.withMemoryRebound(to: CChar.self, capacity: text.count) { strtod($0, nil) }
  }

  private static func date(_ text: UnsafeBufferPointer<UInt8>, _ format: DateFormat) throws -> Double {
    guard let date = format.date(fromUTF8: text) else { throw BenchmarkFailure("no date") }
    return date.timeIntervalSince1970
  }
}
