import ArgumentParser

extension CompletionKind {
  /// The names of scenarios and their folders.
  static var scenarios: CompletionKind {
    .custom { words, _, prefix in CompletionCandidates(commandLine: words).scenarios(for: prefix) }
  }

  /// The folders that contain scenarios.
  static var scenarioFolders: CompletionKind {
    .custom { words, _, _ in CompletionCandidates(commandLine: words).folders }
  }

  static var tags: CompletionKind {
    .custom { words, _, _ in CompletionCandidates(commandLine: words).tags }
  }

  /// The JSON Lines reports of runs.
  static var jsonReports: CompletionKind { .file(extensions: ["jsonl", "json"]) }

  /// Model files, models of Xcode, and scenarios.
  static var models: CompletionKind { .file(extensions: ["yaml", "yml", "xcdatamodeld", "xcdatamodel"]) }
}
