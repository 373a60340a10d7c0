import Foundation
import JSONTree
import RecordModel

extension AttributeValue {
  /// Writes the value in the form of the file. A value that is not of the attribute's type fails the whole statement.
  func write(to cell: SQLiteCell, as type: AttributeType) {
    switch (self, type) {
    case (.integer(let value), .int16), (.integer(let value), .int32), (.integer(let value), .int64):
      cell.set(value)
    case (.boolean(let value), .boolean): cell.set(value)
    case (.double(let value), .float), (.double(let value), .double): cell.set(value)
    case (.date(let value), .date): cell.set(value.timeIntervalSinceReferenceDate)
    case (.string(let value), .string): cell.set(value)
    case (.uri(let value), .uri): cell.set(value.absoluteString)
    case (.json(let value), .transformable): cell.set(value.compactText())
    case (.binary(let value), .binary): value.withUnsafeBytes { cell.set($0) }
    case (.uuid(let value), .uuid): withUnsafeBytes(of: value.uuid) { cell.set($0) }
    case (.decimal(let value), .decimal):
      // Each number has exactly one textual form, so that keys can be found by it.
      guard let text = DecimalDigits(utf8: value.exactText.utf8)?.text else {
        return cell.fail("\(value) is not a decimal number")
      }
      cell.set(text)
    default: cell.fail("\(self) is not \(type.rawValue)")
    }
  }

  /// Writes the value of a key to search for. Writes NULL, which matches nothing, if no record can have the value.
  func writeKey(to cell: SQLiteCell, as type: AttributeType) {
    switch (self, type) {
    case (.integer, .int16), (.integer, .int32), (.integer, .int64), (.boolean, .boolean), (.string, .string),
      (.uri, .uri), (.binary, .binary), (.uuid, .uuid):
      write(to: cell, as: type)
    case (.double(let value), .float), (.double(let value), .double):
      if !value.isNaN { cell.set(value) }
    case (.date(let value), .date):
      if !value.timeIntervalSinceReferenceDate.isNaN { write(to: cell, as: type) }
    case (.decimal(let value), .decimal):
      if value.isFinite { write(to: cell, as: type) }
    default: break
    }
  }

  /// Reads a value.
  ///
  /// - Throws: an error of the kind `damaged` if the value is not of the attribute's type.
  static func read(_ row: some SQLiteCells, _ column: Int32, _ type: AttributeType) throws(SQLiteError)
    -> AttributeValue?
  {
    let kind = row.kind(column)
    if kind == .null { return nil }
    switch (type, kind) {
    case (.int16, .integer), (.int32, .integer), (.int64, .integer): return .integer(row.integer(column))
    case (.boolean, .integer): return .boolean(row.integer(column) != 0)
    case (.float, .double), (.double, .double): return .double(row.double(column))
    case (.date, .double): return .date(Date(timeIntervalSinceReferenceDate: row.double(column)))
    case (.string, .text): return .string(row.text(column))
    case (.binary, .blob): return .binary(row.data(column))
    case (.uuid, .blob):
      let value = row.withBytes(column) { bytes in
        bytes.count == MemoryLayout<uuid_t>.size ? bytes.loadUnaligned(as: uuid_t.self) : nil
      }
      if let value { return .uuid(UUID(uuid: value)) }
    case (.uri, .text):
      if let value = URL(exactly: row.text(column)) { return .uri(value) }
    case (.decimal, .text):
      if let value = Decimal(stored: row.text(column)) { return .decimal(value) }
    case (.transformable, .text):
      let bytes = row.withBytes(column) { Array($0) }
      // Values of any depth can be read, because values of any depth are written.
      if let document = try? JSONDocument(parsing: bytes, maximumDepth: .max) {
        return .json(document.root.value)
      }
    default: break
    }
    throw .damaged("a value is not of type \(type.rawValue)")
  }
}

extension Decimal {
  /// Creates a number from its stored text. Also supports numbers of 39 digits, which cannot be created from their
  /// digits.
  fileprivate init?(stored text: String) {
    guard let digits = DecimalDigits(utf8: text.utf8) else { return nil }
    if let value = Decimal(exactly: digits) {
      self = value
      return
    }
    guard let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")),
      DecimalDigits(utf8: value.exactText.utf8) == digits
    else { return nil }
    self = value
  }
}
