import Foundation
import RecordModel
import RecordSpec
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// The scenarios of a suite that a command processes.
struct SuiteSelection {
  let plan: RunPlan
  /// A Boolean value that indicates whether all scenarios are selected, so that problems that belong to no scenario
  /// matter, too.
  let isWhole: Bool

  /// Finds the selected scenarios. If there is nothing to process, reports the reason.
  static func find(_ options: SelectionOptions, in context: CommandContext) throws(Refusal) -> SuiteSelection
  {
    let suite = context.suite
    var selection = options.selection
    let found = ScenarioFiles(below: suite.scenarios, allowingOutside: suite.allowedFolders)
    if found.files.isEmpty { throw refuse(found, options, context) }
    if options.isLastFailed {
      do throws(FileProblem) {
        selection.restrict(to: try FailedScenarios(suite: suite).load())
      } catch {
        throw context.refuse(.usage, "'--last-failed' cannot read the last results: \(error.message)")
      }
    }
    if let revision = options.changedSince {
      do throws(ChangedScenarios.GitProblem) {
        selection.restrict(
          to: try ChangedScenarios.names(suite: suite, files: found.files, since: revision))
      } catch {
        throw context.refuse(
          .usage, "'--changed' cannot read the changes: \(error.message)", advice: error.advice)
      }
    }
    let plan = RunPlan(found, selection: selection)
    if let status = complain(plan, options, found, context) { throw Refusal(status) }
    return SuiteSelection(plan: plan, isWhole: selection.isEverything)
  }

  /// Reports that the suite has no scenarios.
  private static func refuse(
    _ found: ScenarioFiles, _ options: SelectionOptions, _ context: CommandContext
  ) -> Refusal {
    let (paths, folder) = (options.selection.paths, context.suite.scenarios)
    if reportsMisplacedCommand(paths, context) || reportsUnknownRules(options, context) {
      return Refusal(.usage)
    }
    let isOnlyEmpty = found.diagnostics.allSatisfy { $0.code == .noScenarios }
    if isOnlyEmpty, options.allowsEmpty, paths.isEmpty {
      context.report("no scenario is selected: '\(folder)' has no scenarios\n")
      return Refusal(.success)
    }
    context.report(found.diagnostics)
    let isHere = found.diagnostics.allSatisfy { $0.path == folder }
    for path in isHere ? paths : [] {
      if let hint = folderHint(for: path) { context.report("error: '\(path)' \(hint)\n") }
    }
    return Refusal(isOnlyEmpty ? .nothingSelected : .invalid)
  }

  /// Reports a command that follows its options, if one of the paths without a scenario is its name. Returns a Boolean
  /// value that indicates whether there is one.
  private static func reportsMisplacedCommand(_ unmatchedPaths: [String], _ context: CommandContext) -> Bool {
    guard let command = context.command, unmatchedPaths.contains(command.name) else { return false }
    context.report("error: \(command.message)\n")
    return true
  }

  /// Reports the selected rules that do not exist. Returns a Boolean value that indicates whether there are any.
  private static func reportsUnknownRules(_ options: SelectionOptions, _ context: CommandContext) -> Bool {
    let unknownRules = options.selection.rules.filter { text in
      !Rule.all.contains { ScenarioSelection.names(text, rule: $0.id) }
    }
    for rule in unknownRules.map(RuleListing.UnknownName.init) {
      context.report("error: \(rule.message); \(rule.advice)\n")
    }
    return !unknownRules.isEmpty
  }

  private static func complain(
    _ plan: RunPlan, _ options: SelectionOptions, _ found: ScenarioFiles, _ context: CommandContext
  ) -> ExitStatus? {
    if reportsMisplacedCommand(plan.unmatchedPaths, context) { return .usage }
    for path in plan.unmatchedPaths {
      if let hint = folderHint(for: path) {
        context.report("error: '\(path)' is not in the folder '\(context.suite.scenarios)'; it \(hint)\n")
        continue
      }
      let advice = advice(for: path, options, found, context)
      context.report(
        "error: no scenario is named '\(path)'" + (advice.map { "; \($0)" } ?? "") + "\n")
    }
    if reportsUnknownRules(options, context) { return .usage }
    guard plan.unmatchedPaths.isEmpty else { return .nothingSelected }
    guard plan.entries.isEmpty else { return nil }
    let reason =
      if options.isLastFailed {
        "no selected scenario failed in its last run"
      } else if options.changedSince != nil {
        "no selected scenario has changes in git"
      } else {
        "none of the \(found.files.count) scenarios matches"
      }
    if options.allowsEmpty {
      context.report("no scenario is selected: \(reason)\n")
      return nil
    }
    reportUnknownTags(options.selection, plan, context)
    context.report("error: no scenario is selected: \(reason); use '--allow-empty' to exit with 0\n")
    return .nothingSelected
  }
}

extension SuiteSelection {
  /// Reports the selected tags that no scenario has.
  private static func reportUnknownTags(
    _ selection: ScenarioSelection, _ plan: RunPlan, _ context: CommandContext
  ) {
    let known = plan.unselectedTags.sorted()
    let scenario = selection.paths.isEmpty ? "no scenario" : "no scenario at these paths"
    for tag in selection.tags where !known.contains(tag) {
      let advice =
        if known.isEmpty {
          "no scenario has tags"
        } else if let tags = listed(in: tag), tags.allSatisfy(known.contains) {
          "write '\(tags.map { "--tag \(ShellText.quoted($0))" }.joined(separator: " "))'"
        } else if let nearest = nearestName(to: tag, among: known) {
          "did you mean '\(nearest)'?"
        } else {
          "the tags are \(shortenedList(known))"
        }
      context.report("error: \(scenario) has the tag '\(tag)'; \(advice)\n")
    }
  }

  /// Returns the tags of a list such as `slow,net`; nil for a single tag.
  private static func listed(in text: String) -> [String]? {
    let tags = text.split { ", ".contains($0) }.map(String.init)
    return tags.count > 1 ? tags : nil
  }

  /// Returns the advice for a path without a scenario; nil if there is none.
  private static func advice(
    for path: String, _ options: SelectionOptions, _ found: ScenarioFiles, _ context: CommandContext
  ) -> String? {
    let suite = context.suite
    if let model = fileOfModel(path, among: found) {
      return
        "'\(model)' is a model file; name a scenario that uses it, or print it with 'recordspec model \(ShellText.quoted(model))'"
    }
    if path.hasPrefix("@"), FileAccess.kind(of: String(path.dropFirst())) == .file {
      let file = ShellText.quoted(String(path.dropFirst()))
      return "to run the scenarios that a file lists, write: xargs \(suite.command("run")) < \(file)"
    }
    let commands = path == options.selection.paths.first ? context.commands : []
    let foreign = commands.isEmpty ? nil : ForeignArguments.command(for: path)
    if let option = foreign, option.hasPrefix("--") { return "did you mean 'recordspec \(option)'?" }
    let command = foreign ?? nearestName(to: path, among: commands)
    let nearest =
      ScenarioSelection.suggestion(for: path, among: found.files) ?? command.map { "recordspec \($0)" }
      ?? ScenarioSelection.completion(of: path, among: found.files)
    if let nearest { return "did you mean '\(nearest)'?" }
    if let format = ReportFormat(fileName: path), canBeReport(path, suite) {
      return "to write a report to this file, write: --report \(format.rawValue)=\(ShellText.quoted(path))"
    }
    if path.contains(" ") { return "to select by title, write: --title \(ShellText.quoted(path))" }
    let names = found.files.map(\.name)
    switch names.count {
    case 0: return nil
    case 1: return "the only scenario is '\(names[0])'"
    case ...8: return "the scenarios are \(names.joined(separator: ", "))"
    default: return "'\(suite.command("run")) --list' lists all \(names.count) names"
    }
  }

  /// Returns a Boolean value that indicates whether a report at a path would replace no file and be no part of the suite.
  private static func canBeReport(_ path: String, _ suite: SuiteOptions) -> Bool {
    let location = FileAccess.location(of: path)
    return !FileAccess.exists(path) && !FileAccess.isLink(path)
      && ![suite.scenarios, suite.goldenFolder.path].contains {
        FilePath.isBelow(FileAccess.resolved($0), location)
      }
  }

  /// Returns the model file that the user named instead of a scenario, as a path or below the folder of scenarios; nil if
  /// there is none.
  private static func fileOfModel(_ path: String, among found: ScenarioFiles) -> String? {
    guard ModelReader.modelFileSuffixes.contains(where: path.hasSuffix) else { return nil }
    return [path, FilePath.child(path, of: found.root)].first { FileAccess.kind(of: $0) == .file }
  }

  /// Returns a hint for a path that is a folder with YAML files outside the suite; nil for other paths. Does not search
  /// the folders inside it.
  private static func folderHint(for path: String) -> String? {
    guard !path.isEmpty, FileAccess.kind(of: path) == .folder,
      let names = try? FileManager.default.contentsOfDirectory(atPath: path),
      names.contains(where: { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") })
    else { return nil }
    return "is a folder with YAML files; use '--scenarios \(ShellText.quoted(path))'"
  }
}

extension ScenarioSelection {
  fileprivate mutating func restrict(to names: Set<String>) {
    self.names = self.names?.intersection(names) ?? names
  }
}
