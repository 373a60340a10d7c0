import Foundation
import Testing

@testable import RecordEngine

@Suite struct SQLiteConnectionTests {
  private let folder: TemporaryFolder
  private let connection: SQLiteConnection

  init() throws {
    folder = try TemporaryFolder()
    connection = try SQLiteConnection(path: folder.file().path, mayCreate: true, listWidth: 3)
  }

  /// A file may end within its header. The numbers after the end are then 0.
  @Test func aHeaderCanBeCutOff() throws {
    try connection.run("PRAGMA application_id = 16909060")
    try connection.run("PRAGMA user_version = 84281096")
    let bytes = try connection.header(count: SQLiteHeader.length)
    #expect(bytes.count == 100)
    for count in 0...bytes.count {
      let header = SQLiteHeader(Array(bytes.prefix(count)))
      #expect((header == nil) == (count < 16))
      #expect(header?.userVersion ?? 0 == (count < 64 ? 0 : 84_281_096))
      #expect(header?.applicationID ?? 0 == (count < 72 ? 0 : 16_909_060))
      #expect(header?.isWhole ?? false == (count == 100))
    }
  }

  @Test func valuesGoInAndComeOut() throws {
    let values: [SQLiteValue] = [
      .null, .integer(.min), .double(-0.5), .text(""), .text("a\u{0}b"), .blob([]), .blob([0, 255]),
    ]
    var found: [String] = []
    for value in values {
      try connection.query("SELECT ?1", [value]) { row in
        switch row.kind(0) {
        case .null: found.append("null")
        case .integer: found.append("\(row.integer(0))")
        case .double: found.append("\(row.double(0))")
        case .text: found.append("'\(row.text(0))'")
        case .blob: found.append("\(Array(row.data(0)))")
        }
      }
    }
    #expect(found == ["null", "\(Int64.min)", "-0.5", "''", "'a\u{0}b'", "[]", "[0, 255]"])
  }

  @Test func aListIsATable() throws {
    let words = ["one", "", "three"]
    let list = SQLiteList(count: 3) { row, column, cell in
      switch column {
      case 0: cell.set(Int64(row) * 10)
      case 1: cell.set(words[row])
      default: break
      }
    }
    var found: [String] = []
    try connection.query("SELECT rowid, c0, c1, c2 FROM \"$list\"(?1)", [.list(list)]) { row in
      found.append("\(row.integer(0)) \(row.integer(1)) '\(row.text(2))' \(row.kind(3))")
    }
    #expect(found == ["0 0 'one' null", "1 10 '' null", "2 20 'three' null"])
    for sql in ["SELECT count(*) FROM \"$list\"(?1)", "SELECT count(*) FROM \"$list\"(?1), \"$list\"(?2)"] {
      for (values, wanted) in [
        ([SQLiteValue.list(SQLiteList([])), .list(list)], Int64(0)),
        ([.list(list), .list(list)], sql.contains("?2") ? 9 : 3),
      ] {
        var count: Int64 = -1
        try connection.query(sql, Array(values.prefix(sql.contains("?2") ? 2 : 1))) { count = $0.integer(0) }
        #expect(count == wanted)
      }
    }
    // A value that is not a list has no rows, and neither has a missing argument.
    var count: Int64 = -1
    try connection.query("SELECT count(*) FROM \"$list\"(?1)", [.integer(7)]) { count = $0.integer(0) }
    #expect(count == 0)
    try connection.query("SELECT count(*) FROM \"$list\"") { count = $0.integer(0) }
    #expect(count == 0)
  }

  @Test func aListHasAnyLength() throws {
    try connection.run("CREATE TABLE numbers (id INTEGER PRIMARY KEY, name)")
    let many = 300_000
    let list = SQLiteList(count: many) { row, column, cell in
      if column == 0 { cell.set(Int64(row)) } else { cell.set("number \(row)") }
    }
    try connection.transaction { () throws(SQLiteError) in
      try connection.run("INSERT INTO numbers SELECT c0, c1 FROM \"$list\"(?1)", .list(list))
    }
    #expect(connection.totalChanges == many)
    var (count, isOrdered): (Int, Bool) = (0, true)
    let wanted = SQLiteList((0..<many).map { Int64(many - 1 - $0) })
    try connection.query(
      "SELECT l.rowid, n.id FROM \"$list\"(?1) AS l CROSS JOIN numbers AS n ON n.id = l.c0", [.list(wanted)]
    ) { row in
      isOrdered = isOrdered && row.integer(0) == Int64(count) && row.integer(1) == Int64(many - 1 - count)
      count += 1
    }
    #expect(count == many && isOrdered)
    #expect(connection.statementCounts == [.other: 3, .insert: 1, .select: 1])
  }

  @Test func aCellThatFailsFailsTheStatement() throws {
    try connection.run("CREATE TABLE numbers (value)")
    for cell in [
      { (cell: SQLiteCell) in cell.set(Double.nan) }, { (cell: SQLiteCell) in cell.fail("it does not fit") },
    ] {
      let list = SQLiteList(count: 2) { row, _, place in row == 0 ? place.set(1.5) : cell(place) }
      #expect(throws: SQLiteError.self) {
        try connection.run("INSERT INTO numbers SELECT c0 FROM \"$list\"(?1)", .list(list))
      }
    }
    var count: Int64 = -1
    try connection.query("SELECT count(*) FROM numbers") { count = $0.integer(0) }
    #expect(count == 0)
  }

  @Test func aTransactionIsAllOrNothing() throws {
    try connection.run("CREATE TABLE numbers (value UNIQUE)")
    let error = #expect(throws: SQLiteError.self) {
      try connection.transaction { () throws(SQLiteError) in
        try connection.run("INSERT INTO numbers VALUES (1)")
        try connection.run("INSERT INTO numbers VALUES (1)")
      }
    }
    #expect(error?.kind == .statement)
    #expect(!connection.isInTransaction)
    try connection.query("SELECT count(*) FROM numbers") { #expect($0.integer(0) == 0) }
  }

  /// A statement can run while its own rows are being read.
  @Test func aStatementInsideItself() throws {
    var sums: [Int64] = []
    let list = SQLiteList([1, 2])
    try connection.query("SELECT c0 FROM \"$list\"(?1)", [.list(list)]) { outer throws(SQLiteError) in
      try connection.query("SELECT c0 FROM \"$list\"(?1)", [.list(list)]) {
        sums.append(outer.integer(0) + $0.integer(0))
      }
    }
    #expect(sums == [2, 3, 3, 4])
  }

  @Test func aMistakeInAStatementNamesIt() throws {
    let error = #expect(throws: SQLiteError.self) { try connection.run("SELECT name FROM nowhere") }
    #expect(error?.message == "no such table: nowhere, in: SELECT name FROM nowhere")
  }

  /// Only an invalid statement is part of the message, because all other errors say enough.
  @Test func anErrorWithoutItsStatement() throws {
    try connection.run("CREATE TABLE numbers (value UNIQUE)")
    try connection.run("INSERT INTO numbers VALUES (1)")
    let error = #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO numbers VALUES (1)") }
    #expect(error?.message == "UNIQUE constraint failed: numbers.value")
    #expect(error?.extendedCode == 2067)
  }

  @Test func aConditionIsCalledForEachRow() throws {
    let list = SQLiteList([1, 2, 3])
    func rows(_ condition: SQLiteCondition) throws -> [Int64] {
      var found: [Int64] = []
      try connection.query(
        "SELECT c0 FROM \"$list\"(?1) WHERE holds(?2, c0)", [.list(list), .condition(condition)]
      ) { found.append($0.integer(0)) }
      return found
    }
    #expect(try rows(SQLiteCondition { $0.integer(0) != 2 }) == [1, 3])
    let error = #expect(throws: SQLiteError.self) {
      try rows(
        SQLiteCondition { (_: SQLiteArguments) throws(SQLiteError) -> Bool in throw .damaged("a wrong value")
        })
    }
    #expect(error?.message == "a wrong value")
    #expect(error?.kind == .damaged)
  }

  @Test(
    arguments: [
      ("SELECT 1", .select), ("insert INTO a VALUES (1)", .insert), ("UPDATE a SET b = 1", .update),
      ("DELETE FROM a", .delete), ("PRAGMA a", .other), ("COMMIT", .other),
    ] as [(String, SQLiteStatementKind)])
  func kinds(sql: String, kind: SQLiteStatementKind) { #expect(SQLiteStatementKind(sql) == kind) }

  @Test(
    arguments: [
      (5, .locked), (6, .locked), (11, .damaged), (26, .foreign), (8, .readOnly), (3, .readOnly), (13, .full),
      (1, .statement), (19, .statement), (14, .cannotOpen), (23, .cannotOpen), (10, .disk), (7, .other),
    ] as [(Int32, SQLiteError.Kind)])
  func kindsOfErrors(code: Int32, kind: SQLiteError.Kind) {
    #expect(SQLiteError(code: code, message: "").kind == kind)
  }

  /// A file is only given up if no other connection reads it.
  @Test func aFileThatIsInUseIsNotGivenUp() throws {
    try connection.run("CREATE TABLE numbers (value)")
    let other = try SQLiteConnection(path: folder.file().path, mayCreate: false, listWidth: 1)
    try other.run("BEGIN")
    try other.query("SELECT count(*) FROM numbers") { _ in }
    let error = #expect(throws: SQLiteError.self) { try connection.giveUpFile() }
    #expect(error?.kind == .locked)
  }
}
