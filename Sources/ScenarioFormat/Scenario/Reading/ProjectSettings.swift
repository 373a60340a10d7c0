/// The contents of `.recordspec.yaml` in the project's folder. Without the file, every setting has its default.
package struct ProjectSettings {
  package static let fileName = ".recordspec.yaml"
  static let misspelledFileName = ".recordspec.yml"

  /// The text of a new file. It sets no option.
  package static let template = """
    # The settings of this project. The folder of this file is the project folder: scenarios can name files in it only, and
    # the paths below are relative to it. To set an option, remove the '# ' in front of it.

    # The folder of golden files:
    # golden: Golden

    # The time after which a scenario is given up:
    # timeout: 10s

    # Treat warnings of 'recordspec check' as errors:
    # strict: true

    # Reports of 'recordspec run':
    # reports: {junit: build/scenarios.xml}

    # Folders outside the project whose files scenarios can name:
    # allowOutside: [../Models]

    """

  /// The folders outside the project whose files scenarios may name, as paths that are valid in the current folder.
  package private(set) var allowedFolders: [Located<String>] = []
  /// The options of commands. Paths are valid in the current folder.
  package private(set) var run = RunSettings()
  /// The folder of golden files as it is written; nil if the file does not name one.
  package private(set) var goldenAsWritten: Located<String>?

  /// Creates the settings from the file, and reports all errors in the file.
  ///
  /// - Parameter folder: the project's folder, without symbolic links.
  package init(in folder: String, findings: Findings) {
    let path = FileAccess.displayed(FilePath.child(Self.fileName, of: folder))
    guard FileAccess.exists(path) else {
      let other = FileAccess.displayed(FilePath.child(Self.misspelledFileName, of: folder))
      if FileAccess.exists(other) {
        findings.report(
          .unreadableFile, at: .file(other), "settings are read from '\(Self.fileName)' only",
          advice: "rename this file")
      }
      return
    }
    do throws(FileProblem) {
      guard let bytes = try FileBytes.read(path) else { return }
      read(SourceFile(path: path, bytes: bytes), findings)
    } catch {
      findings.report(.unreadableFile, at: .file(path), "the file \(error.reason)")
    }
  }

  private mutating func read(_ file: SourceFile, _ findings: Findings) {
    let (root, diagnostics) = YAMLParser.parse(file)
    // An empty file also marks the project's folder.
    findings.add(diagnostics.filter { $0.code != .yamlEmpty })
    guard let root,
      let reader = MappingReader(
        root, at: .file(file.path), as: .settings, hints: Self.hints, otherNames: Self.otherNames,
        findings: findings)
    else { return }
    allowedFolders = findings.strings(reader["allowOutside"]).compactMap { folder in
      guard findings.isPath(folder.value, at: .span(folder.span)) else { return nil }
      let path = FileAccess.path(of: folder.value, namedIn: file.path)
      return Located(value: path.isEmpty ? "." : path, span: folder.span)
    }
    let paths = SettingPaths(file: file.path, findings: findings)
    run.golden = paths.path(reader["golden"])
    if run.golden != nil, let value = reader["golden"]?.value, let text = value.scalar?.text {
      goldenAsWritten = Located(value: text, span: value.span)
    }
    run.keptResults = keptResults(reader["keep"], paths)
    run.timings = findings.strings(reader["timings"]).compactMap { paths.path($0.value, at: $0.span) }
    run.reports = reports(reader["reports"], paths)
    if let pair = reader["reports"], let conflict = ReportRequest.conflict(among: run.reports) {
      findings.report(.conflictingKeys, at: pair.value.span, conflict.message)
    }
    run.store = findings.choice(reader["store"], StoreKind.self)
    run.color = findings.choice(reader["color"], ColorChoice.self)
    run.isVerbose = findings.boolean(reader["verbose"])
    run.explains = findings.boolean(reader["explain"])
    run.includesDetails = findings.boolean(reader["details"])
    run.isStrict = findings.boolean(reader["strict"])
    run.jobs = findings.integer(reader["jobs"], in: 1...Int.max)
    run.maximumFailures = findings.integer(reader["maxFailures"], in: 1...Int.max)
    run.repetitions = findings.integer(reader["repeat"], in: 1...Int.max)
    run.slowest = findings.integer(reader["durations"], in: 1...Int.max)
    run.shuffleSeed = findings.integer(reader["shuffle"], in: 0...Int.max).map(UInt64.init)
    run.adapters = (findings.mapping(reader["adapters"]) ?? []).compactMap { adapter($0, paths, findings) }
    run.timeLimit = timeLimit(reader["timeout"], findings)
  }
}

extension ProjectSettings {
  private func adapter(_ pair: YAMLPair, _ paths: SettingPaths, _ findings: Findings) -> AdapterSettings? {
    if let text = pair.value.scalar?.text {
      findings.wrongKind(
        pair.value, expected: "a mapping", for: "'\(pair.key)'",
        advice: "write {command: [\(text.split(separator: " ").joined(separator: ", "))]}")
      return nil
    }
    guard let reader = MappingReader(pair, as: .adapter, findings: findings) else { return nil }
    let command = findings.strings(reader.required("command")).map(\.value)
    let folder = FilePath.folder(of: paths.file)
    var adapter = AdapterSettings(pair.key, command: command, folder: folder.isEmpty ? "." : folder)
    if let timeout = timeLimit(reader["timeout"], findings) { adapter.timeout = timeout }
    return command.isEmpty ? nil : adapter
  }

  private func timeLimit(_ pair: YAMLPair?, _ findings: Findings) -> Duration? {
    guard let pair, let limit = findings.duration(pair) else { return nil }
    if !RunSettings.possibleTimeLimits.contains(limit) {
      findings.report(.outOfRange, at: pair.value.span, "'timeout' must be from 1ms to 1d")
    }
    return limit
  }

  /// The advice for unknown keys that an author may expect.
  private static let hints = [
    "fail-fast": "write 'maxFailures: 1'", "failFast": "write 'maxFailures: 1'",
    "shard": "each job has its own shard: 'recordspec run --shard 1/3'",
    "tags": "select by tag on the command line, as in 'recordspec run --tag slow'",
    "scenarios": "name the folder of scenarios on the command line, as in 'recordspec run --scenarios Specs'",
    "watch": "write 'recordspec run --watch'",
  ]

  /// The names of keys on the command line and in other tools.
  private static let otherNames = [
    "maxfail": ["maxFailures"], "parallel": ["jobs"], "workers": ["jobs"], "threads": ["jobs"],
    "concurrency": ["jobs"],
    "report": ["reports"], "seed": ["shuffle"], "repetitions": ["repeat"], "slowest": ["durations"],
  ]

  private func keptResults(_ pair: YAMLPair?, _ paths: SettingPaths) -> String? {
    guard let pair, case .boolean(let isKept)? = pair.value.scalar?.value else { return paths.path(pair) }
    paths.findings.wrongKind(
      pair.value, expected: "a folder", for: "'keep'",
      advice: isKept
        ? "write the folder for the results of failed scenarios, such as 'build/results'"
        : "remove 'keep'; results are then not kept")
    return nil
  }

  private func reports(_ pair: YAMLPair?, _ paths: SettingPaths) -> [ReportRequest] {
    guard let pair, let elements = pair.value.elements else {
      return (paths.findings.mapping(pair) ?? []).compactMap { paths.report($0) }
    }
    // On the command line, a report is written as 'junit=report.xml'.
    let entries = elements.compactMap { $0.scalar?.text.wholeMatch(of: /([a-z]+)=([A-Za-z0-9_.\/-]+)/) }
      .filter { ReportFormat(rawValue: String($0.1)) != nil }
    let isWhole =
      !entries.isEmpty && entries.count == elements.count && Set(entries.map(\.1)).count == entries.count
    let example =
      isWhole ? entries.map { "\($0.1): \($0.2)" }.joined(separator: ", ") : "junit: build/report.xml"
    paths.findings.wrongKind(
      pair.value, expected: "a mapping", for: "'reports'", advice: "write 'reports: {\(example)}'")
    return []
  }
}

extension RunSettings {
  /// Reads the settings of the project around a folder of scenarios. Errors in them are reported when the scenarios are
  /// found, so they are ignored here.
  package init(around scenarios: String) { self = ReadableFolders.settings(around: scenarios).run }
}

/// The reader of paths in the settings. The project may come from an untrusted checkout, so the settings cannot name files
/// outside of it that a command would write.
private struct SettingPaths {
  /// The file of the settings.
  let file: String
  let findings: Findings

  func path(_ pair: YAMLPair?) -> String? {
    guard let pair, let text = findings.nonEmptyString(pair.value, for: "'\(pair.key)'") else { return nil }
    return path(text, at: pair.value.span)
  }

  /// Returns the path as it is valid in the current folder; nil if it leads outside of the project, which is reported.
  func path(_ text: String, at span: SourceSpan) -> String? {
    guard findings.isPath(text, at: .span(span)) else { return nil }
    let path = FileAccess.path(of: text, namedIn: file)
    let project = FileAccess.resolved(FilePath.folder(of: FileAccess.resolved(file)))
    let resolved = FileAccess.resolved(path.isEmpty ? "." : path)
    let isOfGit = FilePath.isBelow(FilePath.child(".git", of: project), resolved)
    guard FilePath.isBelow(project, resolved), !isOfGit else {
      findings.report(
        .outsideFile, at: span,
        "the path '\(text)' \(isOfGit ? "belongs to Git" : "leads outside of the project")",
        advice:
          "write a path below the folder of '\(ProjectSettings.fileName)', or use the option on the command line"
      )
      return nil
    }
    return path.isEmpty ? "." : path
  }

  func report(_ pair: YAMLPair) -> ReportRequest? {
    guard let format = ReportFormat(rawValue: pair.key) else {
      _ = findings.unknownKey(pair, of: "the reports", among: ReportFormat.allCases.map(\.rawValue))
      return nil
    }
    return path(pair).map { ReportRequest(format, path: $0) }
  }
}
