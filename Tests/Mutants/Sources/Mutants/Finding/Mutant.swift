/// One fault that can be planted in the sources.
struct Mutant: Hashable, Sendable {
  /// The path of the file below the root of the repository.
  var file: String
  /// From 1.
  var line: Int
  /// In bytes, from 1.
  var column: Int
  var kind: MutantKind
  /// The enclosing declaration, as `CachedResponse.age(_:)`.
  var function: String
  /// The source that is changed, on one line.
  var text: String
  /// Tells apart mutants that agree in everything else, from 1.
  var ordinal = 1

  /// A name for the command line: `Sources/RecordEngine/Cache/CacheKey.swift:12:8:true`.
  var id: String { "\(file):\(line):\(column):\(kind.rawValue)" + (ordinal == 1 ? "" : "#\(ordinal)") }

  /// The path of the folder of the file.
  var folder: String { file.split(separator: "/").dropLast().joined(separator: "/") }

  /// A key that survives moved lines.
  var key: Key { Key(file: file, function: function, kind: kind, text: text) }

  struct Key: Hashable, Sendable {
    var file: String
    var function: String
    var kind: MutantKind
    var text: String
  }
}

/// A mutant with the text that plants it. `#` in inserted text stands for the mutant's number.
struct Plant: Sendable {
  var mutant: Mutant
  var insertions: [Insertion]

  /// Text put around a range of the source, which is counted in bytes.
  struct Insertion: Sendable {
    var start: Int
    var end: Int
    var prefix = ""
    var suffix = ""
    /// Whether the text replaces the range.
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
