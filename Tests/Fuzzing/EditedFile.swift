import Foundation

@testable import RecordEngine

/// A database file that is created again for each input, and edited as the input specifies.
///
/// An input is a list of edits, one on each line. Lines that are not edits are skipped:
///
/// - `sql UPDATE "Post" SET text = 7`: a statement, which runs before all other edits
/// - `set 4096 0d00`: other bytes at an offset
/// - `copy 0 4096 100`: bytes that are copied from an offset to another
/// - `cut 5000`: the length of the file
/// - `wal 377f0682`: the bytes of the log beside the file
struct EditedFile {
  let url: URL
  private let original: Data

  /// The maximum number of edits; further edits find nothing new.
  private static let maximumEdits = 50
  private static let statements = ["UPDATE ", "INSERT ", "DELETE ", "CREATE ", "DROP ", "ALTER "]

  /// Creates the original file.
  ///
  /// - Parameter make: a closure that creates the file at a URL, and closes it.
  init(_ name: String, make: (URL) throws -> Void) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    Self.remove(url)
    try make(url)
    original = try Data(contentsOf: url)
  }

  /// Returns the lines of an input: the verb and the text after it.
  static func edits(_ input: [UInt8]) -> [(verb: String, rest: String)] {
    String(decoding: input, as: UTF8.self).unicodeScalars.split(separator: "\n").prefix(maximumEdits)
      .compactMap { line in
        let words = String(line).split(separator: " ", maxSplits: 1).map(String.init)
        return words.first.map { ($0, words.count > 1 ? words[1] : "") }
      }
  }

  /// Creates the edited file, calls `body`, and removes the file.
  func edited(by edits: [(verb: String, rest: String)], _ body: () -> Void) {
    expectNoError("the file cannot be made") {
      Self.remove(url)
      try original.write(to: url)
      try run(edits.filter { $0.verb == "sql" }.map(\.rest))
      var bytes = Array(try Data(contentsOf: url))
      for edit in edits { Self.edit(&bytes, edit.verb, edit.rest) }
      try Data(bytes).write(to: url)
      if let log = edits.first(where: { $0.verb == "wal" }) {
        try Data(Self.bytes(log.rest)).write(to: URL(fileURLWithPath: url.path + "-wal"))
      }
    }
    body()
    Self.remove(url)
  }

  private static func remove(_ url: URL) {
    for ending in ["", "-wal", "-shm", "-journal"] {
      try? FileManager.default.removeItem(atPath: url.path + ending)
    }
  }

  /// Runs statements. A statement that SQLite does not accept changes nothing.
  private func run(_ statements: [String]) throws {
    let statements = statements.filter { statement in Self.statements.contains { statement.hasPrefix($0) } }
    guard !statements.isEmpty else { return }
    let connection = try SQLiteConnection(path: url.path, mayCreate: false, listWidth: 1)
    for statement in statements { try? connection.run(statement) }
  }

  private static func edit(_ bytes: inout [UInt8], _ verb: String, _ rest: String) {
    let words = rest.split(separator: " ").map(String.init)
    let numbers = words.map { Int($0).map { max(0, $0) } ?? 0 }
    guard !bytes.isEmpty else { return }
    switch verb {
    case "set" where words.count > 1:
      let start = numbers[0] % bytes.count
      for (index, byte) in Self.bytes(words[1]).enumerated() { bytes[(start + index) % bytes.count] = byte }
    case "copy" where words.count > 2:
      let (from, to) = (numbers[0] % bytes.count, numbers[1] % bytes.count)
      let count = min(numbers[2], bytes.count - max(from, to))
      bytes.replaceSubrange(to..<to + count, with: Array(bytes[from..<from + count]))
    case "cut" where !words.isEmpty: bytes.removeLast(bytes.count - min(numbers[0], bytes.count))
    default: break
    }
  }

  private static func bytes(_ text: String) -> [UInt8] {
    let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    return stride(from: 0, to: digits.count - digits.count % 2, by: 2).map {
      UInt8(digits[$0] * 16 + digits[$0 + 1])
    }
  }
}
