import JSONTree
import RecordEngine
import RecordModel
import ScenarioComparison

/// The paths that were tried without success, and the keys that may have been meant.
extension Explainer {
  /// Returns the paths that were tried in an item, and the keys of the item that no property reads: the near ones, or
  /// the first ones if none is near.
  func triedFacts(
    _ paths: [MappingPath], _ record: RecordProvenance, in mention: Mention
  ) -> [Explanation.Fact] {
    guard let item = record.effectiveItem, item.kind == .object else {
      return [
        fact(
          "value", at: record.effectiveItem, in: mention, "only a reference, which carries no values",
          ["merge.across"])
      ]
    }
    let text = paths.isEmpty ? "no path" : paths.map { "'\($0)'" }.joined(separator: ", ")
    let tried = fact("tried", at: item, in: mention, text, ["mapping.missing"])
    guard let unread = unreadKeys(of: item, record.entity, in: mention) else { return [tried] }
    let near = facts(on: unread.near(to: paths), of: item, in: mention)
    if !near.isEmpty { return [tried] + near }
    let others = unread.notIgnored.map { ValueText.clipped("'\($0)'") }
    return others.isEmpty
      ? [tried] : [tried, fact("unread", at: item, in: mention, shortenedList(others, limit: Self.limit))]
  }

  /// Returns a fact for each key of an item that is near to paths and that no property reads.
  func nearFacts(
    _ paths: [MappingPath], _ item: JSONNode, _ entity: EntityName, in mention: Mention
  ) -> [Explanation.Fact] {
    facts(
      on: unreadKeys(of: item, entity, in: mention)?.near(to: paths) ?? [], of: item, in: mention)
  }

  /// Returns the keys of an item that no property reads; nil if the item is not an object.
  func unreadKeys(of item: JSONNode, _ entity: EntityName, in mention: Mention) -> UnreadKeys? {
    // Tweaks and record types can change the paths of the model.
    let schema = mention.response.population?.schema ?? schema
    guard let entity = schema.entity(entity), item.kind == .object else { return nil }
    return UnreadKeys(of: item, entity, schema)
  }

  private func facts(on keys: [String], of item: JSONNode, in mention: Mention) -> [Explanation.Fact] {
    keys.map { key in
      let pointer = pointer(of: item, in: mention).appending(key)
      return fact("near", at: item[key], pointer, in: mention, "no property reads '\(key)'")
    }
  }
}
