/// The mutants that may survive, as listed in `Tests/Mutants/accepted.txt`: a reason, followed by the indented keys of
/// its mutants.
struct AcceptedSurvivors {
  private(set) var reasons: [Mutant.Key: String] = [:]

  init() {}

  init(_ text: String) throws(MutantsError) {
    var reason: String?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let content = line.drop { $0 == " " }
      if content.isEmpty || line.hasPrefix("#") { continue }
      guard line.hasPrefix(" ") else {
        reason = String(line)
        continue
      }
      guard let reason else {
        throw MutantsError("line \(index + 1) of Tests/Mutants/accepted.txt has no reason above it")
      }
      guard let key = Mutant.Key(line: content) else {
        throw MutantsError(
          "line \(index + 1) of Tests/Mutants/accepted.txt is not 'file | function | kind | source'")
      }
      reasons[key] = reason
    }
  }

  /// Returns the keys that do not belong to a mutant, sorted.
  func stale(besides mutants: [Mutant]) -> [Mutant.Key] {
    let known = Set(mutants.map(\.key))
    return reasons.keys.filter { !known.contains($0) }.sorted { $0.line < $1.line }
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
