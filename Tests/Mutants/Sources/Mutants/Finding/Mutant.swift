/// A fault that can be planted in the sources.
struct Mutant: Hashable, Sendable {
  /// The path of the file relative to the root of the repository.
  var file: String
  /// The line, starting at 1.
  var line: Int
  /// The column in bytes, starting at 1.
  var column: Int
  var kind: MutantKind
  /// The enclosing declaration, for example `CachedResponse.age(_:)`.
  var function: String
  /// The changed source, on one line.
  var text: String
  /// The number, starting at 1, that distinguishes mutants that are equal otherwise.
  var ordinal = 1
  /// The number, starting at 1, among the mutants of a function that have the same kind and text.
  var occurrence = 1

  /// The identifier for the command line: `Sources/RecordEngine/Cache/CacheKey.swift:12:8:true`.
  var id: String { "\(file):\(line):\(column):\(kind.rawValue)" + (ordinal == 1 ? "" : "#\(ordinal)") }

  /// The path of the folder of the file.
  var folder: String { file.split(separator: "/").dropLast().joined(separator: "/") }

  /// A key that does not change if lines move.
  var key: Key { Key(file: file, function: function, kind: kind, text: text, occurrence: occurrence) }

  struct Key: Hashable, Sendable {
    var file: String
    var function: String
    var kind: MutantKind
    var text: String
    var occurrence = 1
  }
}

extension Mutant.Key {
  /// The key as a line of a file. If several mutants of a function have the same kind and text, a number follows the kind
  /// of all but the first.
  var line: String {
    "\(file) | \(function) | \(kind.rawValue)\(occurrence == 1 ? "" : " \(occurrence)") | \(text)"
  }

  /// Parses a line in the format of ``line``; returns nil for other text.
  init?(line: some StringProtocol) {
    let parts = line.split(separator: " | ", maxSplits: 3)
    guard parts.count == 4 else { return nil }
    let words = parts[2].split(separator: " ")
    guard words.count <= 2, let kind = words.first.flatMap({ MutantKind(rawValue: String($0)) }),
      let occurrence = words.count == 1 ? 1 : Int(words[1])
    else { return nil }
    self.init(
      file: String(parts[0]), function: String(parts[1]), kind: kind, text: String(parts[3]),
      occurrence: occurrence)
  }

  /// Returns the keys that stand on lines of their own in a text, such as a report.
  static func keys(in text: String) -> Set<Mutant.Key> {
    Set(text.split(separator: "\n").compactMap { Mutant.Key(line: $0.drop { $0 == " " }) })
  }
}

/// A mutant with the text that plants it. In inserted text, `#` represents the number of the mutant.
struct Plant: Sendable {
  var mutant: Mutant
  var insertions: [Insertion]

  /// Text that surrounds a range of the source, in bytes.
  struct Insertion: Sendable {
    var start: Int
    var end: Int
    var prefix = ""
    var suffix = ""
    /// A Boolean value that indicates whether the text replaces the range.
    var replaces = false
  }

  static func wrapping(_ mutant: Mutant, _ range: Range<Int>, in function: String) -> Plant {
    Plant(
      mutant: mutant,
      insertions: [
        Insertion(start: range.lowerBound, end: range.upperBound, prefix: "\(function)(#, ", suffix: ")")
      ])
  }
}
