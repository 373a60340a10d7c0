import RecordModel
package import ScenarioFormat

extension LoadedScenario {
  /// A Boolean value that indicates whether the scenario is invalid only because it names Swift code, which the command
  /// line cannot run.
  package var needsSwiftCode: Bool {
    let errors = diagnostics.filter { $0.severity == .error }
    return scenario == nil && !errors.isEmpty
      && errors.allSatisfy { [.unknownHook, .unknownModel].contains($0.code) }
  }

  /// Returns the scenario after verifying the Swift code that it names. A missing hook makes it invalid. A missing
  /// record type or transformer makes it invalid only if others of the same kind are registered. Without any, records
  /// and values are plain.
  ///
  /// - Parameter registrations: the registrations of a test target; nil on the command line.
  package func checkedForSwiftCode(_ registrations: ScenarioRegistrations?) -> LoadedScenario {
    refused(
      for: names.compactMap { name in
        switch name.kind {
        case .hook: problem(ofHook: name, registrations)
        case .recordType:
          problem(
            of: name, .unknownRecordType, "record type", among: registrations?.recordTypeNames ?? [])
        case .transformer:
          problem(
            of: name, .unknownTransformer, "transformer",
            among: registrations?.transformers.keys.sorted() ?? [])
        case .rule, .failure, .diagnostic, .ignoredDiagnostic: nil
        }
      })
  }

  private func problem(ofHook hook: ForeignName, _ registrations: ScenarioRegistrations?) -> AuthorDiagnostic?
  {
    guard let registrations else {
      return AuthorDiagnostic(
        .unknownHook, at: hook.location,
        "the hook '\(hook.name)' is Swift code, which 'recordspec' cannot run",
        advice: "run the scenario in the test target that registers '\(hook.name)'")
    }
    guard registrations.hooks[hook.name] == nil else { return nil }
    return Self.unregistered(hook, .unknownHook, "hook", among: registrations.hooks.keys.sorted())
  }

  private func problem(
    of name: ForeignName, _ code: AuthorDiagnostic.Code, _ what: String, among registered: [String]
  ) -> AuthorDiagnostic? {
    guard !registered.isEmpty, !registered.contains(name.plainName) else { return nil }
    if name.isCasual {
      // Reports the name only if it is similar to a registered name that the scenario does not use.
      let named = Set(names.filter { $0.kind == name.kind }.map(\.plainName))
      let unnamed = registered.filter { !named.contains($0) }
      guard nearestName(to: name.plainName, among: unnamed) != nil else { return nil }
    }
    return Self.unregistered(name, code, what, among: registered)
  }

  private static func unregistered(
    _ name: ForeignName, _ code: AuthorDiagnostic.Code, _ what: String, among names: [String]
  ) -> AuthorDiagnostic {
    let near = nearestName(to: name.plainName, among: names)
    return AuthorDiagnostic(
      code, at: name.location, "unregistered \(what) '\(name.name)'",
      expected: near == nil && !names.isEmpty ? names.joined(separator: ", ") : nil,
      advice: near.map { "did you mean '\($0)'?" } ?? (names.isEmpty ? "register it in the test target" : nil)
    )
  }
}

extension ForeignName {
  /// The name by which registrations are found. For a record type, it omits the module.
  fileprivate var plainName: String {
    guard kind == .recordType else { return name }
    return name.split(separator: ".").last.map(String.init) ?? name
  }
}

extension ScenarioRegistrations {
  fileprivate var recordTypeNames: [String] { recordTypes.map { String(describing: $0) }.sorted() }
}
