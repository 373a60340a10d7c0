import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioReport

/// The differences between the responses of an imported scenario and its model, by entity.
struct ImportedDrift {
  private struct Found {
    var unused: [String] = []
    var missing: [String] = []
    var types: [String] = []
  }

  private var entities: [EntityName: Found] = [:]

  /// Collects the differences of all steps, each of them once.
  init(_ snapshot: ScenarioSnapshot) {
    for (name, drift) in snapshot.steps.compactMap(\.drift).flatMap(\.entities) {
      entities[name, default: Found()].unused += drift.unused.keys.map(\.description)
      entities[name, default: Found()].missing += drift.missing.map(\.rawValue)
      entities[name, default: Found()].types += drift.types.keys
    }
  }

  /// The lines of output about the differences.
  var lines: [String] {
    let start = "drift: on; the golden file also records "
    guard !entities.isEmpty else {
      return [start + "differences between the responses and the model"]
    }
    let sorted = entities.sorted { $0.key < $1.key }
    var lines = [start + "these differences between the responses and the model:"]
    lines += sorted.prefix(Self.shownEntities).map { name, found in
      let parts = [
        Self.text("no property reads", found.unused),
        Self.text("some responses have no", found.missing),
        Self.text("unexpected types:", found.types),
      ]
      return "  \(name): " + parts.compactMap(\.self).joined(separator: "; ")
    }
    if sorted.count > Self.shownEntities {
      lines.append("  and \(sorted.count - Self.shownEntities) more entities")
    }
    return lines
  }

  private static func text(_ words: String, _ names: [String]) -> String? {
    let names = Set(names).sorted(by: scalarsPrecede).map { "'\($0)'" }
    return names.isEmpty ? nil : "\(words) \(shortenedList(names, limit: shownNames))"
  }

  private static let (shownEntities, shownNames) = (10, 3)
}
