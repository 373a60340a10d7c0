import Foundation

/// The files that have mutants, as listed in `Tests/Mutants/sources.txt`. Each line is a glob. A `!` before a glob
/// excludes its files.
struct SourceGlobs {
  private var included: [String] = []
  private var excluded: [String] = []

  init(_ text: String) {
    for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
      if line.isEmpty || line.hasPrefix("#") { continue }
      if line.hasPrefix("!") { excluded.append(String(line.dropFirst())) } else { included.append(line) }
    }
  }

  /// Returns the matching paths, sorted.
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

  /// Returns whether a path matches a glob. `*` matches any text, including folder separators.
  static func matches(_ path: String, _ glob: String) -> Bool { fnmatch(glob, path, 0) == 0 }
}

/// An error for the command line.
struct MutantsError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
