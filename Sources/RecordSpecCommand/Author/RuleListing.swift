import RecordModel
import RecordSpec

/// The rules as text: each rule, its difference from MMRecord, and the scenarios that prove it.
///
/// ```
/// identity: identifying the record of an item
///
///   identity.attribute-key
///       Items with equal keys are one record, within a response and across responses.
///       2 scenarios: identity/attribute-key, identity/attribute-key-across-responses
/// ```
struct RuleListing: Sendable {
  /// An error that indicates that a name is neither a group nor a rule.
  struct UnknownName: Error, Hashable, Sendable {
    /// The problem in one line.
    let message: String
    /// The suggested correction.
    let advice: String

    init(_ name: String) {
      let near = nearestName(to: name, among: Rule.groups.map(\.name) + Rule.all.map(\.id))
      message = "unknown rule or group '\(name)'"
      advice =
        near.map { "did you mean '\($0)'?" }
        ?? Rule.groups.first { name.hasPrefix($0.name + ".") }.map {
          "'recordspec rules \($0.name)' lists the rules of '\($0.name)'"
        } ?? "the groups are \(Rule.groups.map(\.name).joined(separator: ", "))"
    }
  }

  /// The listed rules, in the order of ``Rule/all``.
  let rules: [Rule]
  private let coverage: RuleCoverage
  private let isWhole: Bool
  private let isUncoveredOnly: Bool

  /// The number of columns of the text. Default 100. Words are not broken, so a longer word exceeds the width.
  var width = 100

  /// Creates a listing.
  ///
  /// - Parameters:
  ///   - coverage: the scenarios that prove each rule.
  ///   - name: a group, such as `identity`, or a rule, such as `values.date`, which includes the rules below it. Nil
  ///     for all rules.
  ///   - isUncoveredOnly: a Boolean value that indicates whether to list only implemented rules without a scenario or
  ///     tests.
  /// - Throws: ``UnknownName``, with the nearest name.
  init(
    _ coverage: RuleCoverage, of name: String? = nil, isUncoveredOnly: Bool = false
  ) throws(UnknownName) {
    var rules = Rule.all
    if let name {
      rules = rules.filter { $0.group == name || $0.id == name || $0.id.hasPrefix(name + ".") }
      guard !rules.isEmpty else { throw UnknownName(name) }
    }
    if isUncoveredOnly { rules = rules.filter(coverage.isUncovered) }
    self.rules = rules
    self.coverage = coverage
    self.isUncoveredOnly = isUncoveredOnly
    isWhole = name == nil && !isUncoveredOnly
  }

  /// The listing with a final newline. It is the same for the same scenarios.
  var text: String {
    var blocks: [String] = isWhole ? [vocabulary, meaningsOfMarks] : []
    for group in Rule.groups {
      let rules = rules.filter { $0.group == group.name }
      guard !rules.isEmpty else { continue }
      blocks.append("\(group.name): \(group.title)")
      blocks += rules.map(text)
    }
    blocks.append(summary)
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private var vocabulary: String {
    (["Terms"]
      + Rule.words.map { wrapped("\($0.word): \($0.meaning)", indent: "  ") }).joined(separator: "\n")
  }

  private var meaningsOfMarks: String {
    let meanings = [
      "[differs]: MMRecord behaves differently", "[new]: MMRecord has no such behavior",
      "[planned]: not implemented yet",
    ]
    return (["Marks of rules"] + meanings.map { wrapped($0, indent: "  ") }).joined(separator: "\n")
  }

  private func text(of rule: Rule) -> String {
    let indent = "      "
    var lines = ["  " + rule.id + marks(of: rule), wrapped(rule.text, indent: indent)]
    if case .differs(let how) = rule.relation { lines.append(wrapped("MMRecord: \(how)", indent: indent)) }
    let scenarios = coverage.scenarios(of: rule)
    if !scenarios.isEmpty {
      lines.append(
        wrapped(
          "\(counted(scenarios.count, "scenario")): \(scenarios.joined(separator: ", "))", indent: indent))
    }
    if let suite = rule.provenBy { lines.append(indent + "tests: \(suite)") }
    return lines.joined(separator: "\n")
  }

  private func marks(of rule: Rule) -> String {
    let relation: String? =
      switch rule.relation {
      case .same: nil
      case .differs: "differs"
      case .new: "new"
      }
    return [relation, rule.isPlanned ? "planned" : nil].compactMap(\.self).map { " [\($0)]" }.joined()
  }

  private var summary: String {
    if isUncoveredOnly, rules.isEmpty { return "every implemented rule has a scenario or a test" }
    let count = counted(rules.count, "rule")
    if isUncoveredOnly { return count + " without a scenario" }
    let planned = rules.count(where: \.isPlanned)
    let covered = rules.count { !coverage.scenarios(of: $0).isEmpty }
    let tested = rules.count { coverage.scenarios(of: $0).isEmpty && $0.provenBy != nil }
    var text = count + (planned > 0 ? ", \(planned) planned" : "")
    // The scenarios of a user's own suite prove no rules.
    text +=
      covered > 0
      ? ", \(covered) with scenarios" + (tested > 0 ? ", \(tested) with tests only" : "")
      : "\n"
        + wrapped(
          "These are the rules of the engine. A scenario may name the rules that it proves in 'covers:'.",
          indent: "")
    return text
  }

  /// Returns the text in lines of at most the given width.
  private func wrapped(_ text: String, indent: String) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      if !line.isEmpty, indent.count + line.count + 1 + word.count > width {
        lines.append(indent + line)
        line = ""
      }
      line += line.isEmpty ? word : " " + word
    }
    lines.append(indent + line)
    return lines.joined(separator: "\n")
  }
}
