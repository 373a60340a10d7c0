import RecordModel

/// One rule of the engine: what it does, said so that a scenario can prove it.
///
/// The rules are the engine's specification, and a scenario names the ones it proves in `covers:`.
public struct Rule: Hashable, Sendable, Identifiable {
  /// How MMRecord 1.4, the library that this engine is thought after, goes about it.
  public enum Relation: Hashable, Sendable {
    /// It does the same.
    case same
    /// It does otherwise, and how.
    case differs(String)
    /// It has nothing like it.
    case new
  }

  /// `identity.attribute-key`; what stands before the first dot is the group.
  public let id: String
  /// What the engine does, in one to four sentences; of a planned rule, what it will do.
  public let text: String
  public let relation: Relation
  /// Whether the engine does not do it yet.
  public let isPlanned: Bool
  /// The test suite that proves the rule, `JSONServerTests`, where no scenario can; nil for all others.
  public let provenBy: String?

  /// The name of the group, `identity`.
  public var group: String { String(id.prefix { $0 != "." }) }

  /// A rule that is built.
  init(_ id: String, _ relation: Relation, provenBy suite: String? = nil, _ text: String) {
    self.init(id, relation, text, isPlanned: false, provenBy: suite)
  }

  /// A rule that is built, and that MMRecord has as well.
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

  /// The list is written in lines that fit a page.
  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

/// Rules that belong together.
public struct RuleGroup: Hashable, Sendable {
  /// What the ids of its rules begin with, `identity`.
  public let name: String
  /// What its rules are about, in a few words.
  public let title: String
  /// In the order in which they are to be read.
  public let rules: [Rule]
}

extension Rule {
  /// All rules, group by group.
  public static let all: [Rule] = groups.flatMap(\.rules)

  private static let byID = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

  /// The rule of an id; nil if there is none. Constant time.
  public static func rule(_ id: String) -> Rule? { byID[id] }

  /// The id that is nearest to one that no rule has; nil if none is near.
  public static func nearestID(to id: String) -> String? { nearestName(to: id, among: all.map(\.id)) }
}
