import JSONTree
import OrderedCollections
import RecordEngine
import RecordModel
import ScenarioComparison
import ScenarioFormat
import ScenarioReport

/// The changes that an update has made, and the changes of the API, in words.
struct UpdateReport {
  private(set) var lines: [String] = []
  private(set) var warnings: [String] = []

  init(_ update: SessionUpdate, _ files: SessionUpdate.Files) {
    let count = update.replacements.count { $0 != nil }
    if files.new.isEmpty {
      lines.append(
        "unchanged: the new session has the same \(counted(count, "response")), apart from identifiers and times"
      )
    }
    add(files.new.map { "wrote \($0.path)" })
    var changes = APIChanges()
    for (response, exchange) in zip(update.responses, update.replacements) {
      if let exchange { changes.add(response, exchange) }
    }
    let found = changes.lines
    if !files.new.isEmpty {
      lines.append(
        found.isEmpty
          ? "changed in the API: nothing; only values differ" : "changed in the API:")
    }
    add(found.map { "  " + $0 })
    add(
      Self.grouped(update.unasked.map { Self.request($0) }).map {
        "not in the scenario: \($0); it was not imported"
      })
    add(kept(update).map { "kept: \($0)" })
    if let replaced = update.pseudonyms, !replaced.counts.isEmpty {
      lines.append("new pseudonyms, for values that stand where the earlier session has none:")
      lines += replaced.summary
    }
    add(files.unused.map { "no longer used: \($0)" })
    addConflicts(update.normalizer)
  }

  /// Adds lines, the first ones if there are many.
  private mutating func add(_ more: [String]) {
    lines += more.prefix(Self.shown)
    if more.count > Self.shown { lines.append("  and \(more.count - Self.shown) more") }
  }

  private static let shown = 20

  private static func request(_ exchange: RecordedSession.Exchange) -> String {
    exchange.method + " " + exchange.url
  }

  /// Returns each text once, with the number of its occurrences.
  private static func grouped(_ texts: [String]) -> [String] {
    var counts: OrderedDictionary<ScalarString, Int> = [:]
    for text in texts { counts[ScalarString(text), default: 0] += 1 }
    return counts.map { $1 == 1 ? $0.string : "\($0.string) (\($1) times)" }
  }

  /// Returns the responses that stay, with the reasons.
  private func kept(_ update: SessionUpdate) -> [String] {
    let kept = zip(update.responses, update.replacements).filter { $1 == nil }.map(\.0)
    return Self.grouped(
      kept.map { response in
        let reason = response.obstacle ?? "the new session has no response to this request"
        let address = response.address.method == "GET" ? "GET " + response.text : response.text
        return "\(address), because \(reason)"
      })
  }

  private mutating func addConflicts(_ normalizer: SessionNormalizer) {
    let identifiers = normalizer.conflicts.map { "'\($0)'" }
    if !identifiers.isEmpty {
      warnings.append(
        "these identifiers stay as recorded, because they stand for several old ones, or several stand for one: "
          + shortenedList(identifiers, limit: 5))
    }
    let times = normalizer.timeConflictCount
    if times > 0 {
      warnings.append(
        "\(counted(times, "time")) \(times == 1 ? "stays" : "stay") as recorded, because equal times of a record differ now, or the reverse"
      )
    }
  }
}
