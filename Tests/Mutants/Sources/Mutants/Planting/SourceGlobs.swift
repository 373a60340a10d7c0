import Foundation

/// The files that have mutants, as `Tests/Mutants/sources.txt` lists them: a glob on each line, and `!` before those that
/// are left out.
struct SourceGlobs {
  private var included: [String] = []
  private var excluded: [String] = []

  init(_ text: String) {
    for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
      if line.isEmpty || line.hasPrefix("#") { continue }
      if line.hasPrefix("!") { excluded.append(String(line.dropFirst())) } else { included.append(line) }
    }
  }

  /// Returns the matching paths in order.
  ///
  /// - Throws: an error if a glob matches no path, so that a renamed folder is noticed.
  func select(from paths: [String]) throws(MutantsError) -> [String] {
    for glob in included + excluded where !paths.contains(where: { Self.matches($0, glob) }) {
      throw MutantsError("'\(glob)' of Tests/Mutants/sources.txt matches no file")
    }
    return paths.filter { path in
      included.contains { Self.matches(path, $0) } && !excluded.contains { Self.matches(path, $0) }
    }.sorted()
  }

  /// `*` stands for anything, folders included.
  static func matches(_ path: String, _ glob: String) -> Bool { fnmatch(glob, path, 0) == 0 }
}

/// A reason why there is no result, for the command line.
struct MutantsError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
