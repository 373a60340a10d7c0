import RecordModel

/// A rule of the engine, stated so that a scenario can prove it.
///
/// The rules are the specification of the engine. A scenario names the rules that it proves in `covers:`.
package struct Rule: Hashable, Sendable, Identifiable {
  /// The behavior of MMRecord 1.4, the library that the engine is modeled on.
  package enum Relation: Hashable, Sendable {
    /// MMRecord behaves in the same way.
    case same
    /// MMRecord behaves differently, as described.
    case differs(String)
    /// MMRecord has no such feature.
    case new
  }

  /// The identifier, such as `identity.attribute-key`. The part before the first dot is the group.
  package let id: String
  /// The behavior of the engine in a few sentences, or its future behavior if the rule is planned.
  package let text: String
  package let relation: Relation
  /// A Boolean value that indicates whether the rule is not implemented yet.
  package let isPlanned: Bool
  /// The test suite, such as `JSONServerTests`, that proves a rule that scenarios cannot prove; nil for other rules.
  package let provenBy: String?

  /// The name of the group, such as `identity`.
  package var group: String { String(id.prefix { $0 != "." }) }

  /// Creates a rule that is implemented.
  init(_ id: String, _ relation: Relation, provenBy suite: String? = nil, _ text: String) {
    self.init(id, relation, text, isPlanned: false, provenBy: suite)
  }

  /// Creates a rule that is implemented, with the same behavior as in MMRecord.
  init(_ id: String, provenBy suite: String? = nil, _ text: String) {
    self.init(id, .same, text, isPlanned: false, provenBy: suite)
  }

  static func planned(_ id: String, _ relation: Relation, _ text: String) -> Rule {
    Rule(id, relation, text, isPlanned: true)
  }

  static func planned(_ id: String, _ text: String) -> Rule { Rule(id, .same, text, isPlanned: true) }

  private init(
    _ id: String, _ relation: Relation, _ text: String, isPlanned: Bool, provenBy suite: String? = nil
  ) {
    self.id = id
    self.text = Self.oneLine(text)
    self.relation = if case .differs(let how) = relation { .differs(Self.oneLine(how)) } else { relation }
    self.isPlanned = isPlanned
    provenBy = suite
  }

  /// Joins the lines of a multiline string literal.
  private static func oneLine(_ text: String) -> String {
    text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
      .map { String(Substring($0)) }.joined(separator: " ")
  }
}

/// Rules on one topic.
package struct RuleGroup: Hashable, Sendable {
  /// The first component of the ids of its rules, such as `identity`.
  package let name: String
  /// The topic, in a few words.
  package let title: String
  /// The rules in reading order.
  package let rules: [Rule]
}

extension Rule {
  /// All rules, group by group.
  package static let all: [Rule] = groups.flatMap(\.rules)

  private static let byID = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

  /// Returns the rule with an id, or nil if no rule has it. Constant time.
  package static func rule(_ id: String) -> Rule? { byID[id] }

  /// Returns the id of a rule that is nearest to an unknown id, or nil if no id is near.
  package static func nearestID(to id: String) -> String? { nearestName(to: id, among: all.map(\.id)) }
}
