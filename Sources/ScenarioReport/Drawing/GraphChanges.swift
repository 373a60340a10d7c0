import RecordModel
import ScenarioComparison
import ScenarioFormat

/// The changes between two graphs, record by record.
struct GraphChanges {
  let before: GraphSnapshot
  let after: GraphSnapshot

  /// The number of lines of a node, apart from changed properties.
  private static let maximumLines = 4
  /// The number of changed properties that a node shows.
  private static let maximumChanges = 6
  /// The number of columns of a line. Longer ones are clipped.
  private static let maximumWidth = 34

  func change(of label: RecordLabel) -> GraphDrawing.Change {
    switch (before[label], after[label]) {
    case (nil, _?): .inserted
    case (_?, nil): .deleted
    case (let before?, let after?) where before != after: .updated
    default: .none
    }
  }

  func entity(of label: RecordLabel) -> EntityName { (after[label] ?? before[label])?.entity ?? label.entity }

  /// The number of records and changes: `3 records, + 1 inserted, ~ 1 updated`.
  var summary: String {
    var counts: [GraphDrawing.Change: Int] = [:]
    for label in Set(before.records.keys).union(after.records.keys) {
      counts[change(of: label), default: 0] += 1
    }
    let changes = [GraphDrawing.Change.inserted, .updated, .deleted].compactMap { change in
      counts[change].map { ", \(change.sign)\($0) \(change.rawValue)" }
    }
    return counted(after.records.count, "record") + changes.joined()
  }

  /// Returns the texts of a node: its changed properties, then its attributes without those of its key.
  func lines(for label: RecordLabel, model: Schema) -> [String] {
    guard let record = after[label] ?? before[label] else { return ["does not exist"] }
    let names = model.propertyNames(of: record.entity)
    let changed = change(of: label) == .updated ? changedProperties(of: label, names) : []
    var lines = changed.prefix(Self.maximumChanges).map { name in
      "~ " + DisplayText(name.rawValue).clipped(to: Self.maximumWidth / 2).text + ": "
        + difference(before[label]?.properties[name], after[label]?.properties[name])
    }
    if changed.count > Self.maximumChanges { lines.append("~ \(changed.count - Self.maximumChanges) more") }
    let key = label.isNumbered ? [] : model.key(of: record.entity)
    let others = names.filter { name in
      if case .attribute? = record.properties[name] {
        !key.contains(name) && !changed.contains(name)
      } else {
        false
      }
    }
    let room = max(0, Self.maximumLines - lines.count)
    lines += others.prefix(room).map { name in
      let text = "\(name): \(record.properties[name].map { ValueText.plain($0) } ?? GraphTables.nothing)"
      return DisplayText(text).clipped(to: Self.maximumWidth).text
    }
    if others.count > room { lines.append("… \(others.count - room) more") }
    return lines
  }

  private func changedProperties(of label: RecordLabel, _ names: [PropertyName]) -> [PropertyName] {
    names.filter { before[label]?.properties[$0] != after[label]?.properties[$0] }
  }

  /// Returns both values, or the numbers of added and removed members.
  private func difference(_ old: PropertySnapshot?, _ new: PropertySnapshot?) -> String {
    func isToMany(_ property: PropertySnapshot?) -> Bool {
      if case .toMany? = property { true } else { false }
    }
    if isToMany(old) || isToMany(new) {
      let (old, new) = (Set(old?.links ?? []), Set(new?.links ?? []))
      let parts = [("+", new.subtracting(old).count), ("−", old.subtracting(new).count)]
      let signs = parts.filter { $0.1 > 0 }.map { "\($0.0)\($0.1)" }
      return signs.isEmpty ? "another order" : signs.joined(separator: " ")
    }
    return Self.difference(
      old.map { ValueText.plain($0) } ?? GraphTables.nothing,
      new.map { ValueText.plain($0) } ?? GraphTables.nothing)
  }

  /// Returns both texts. Long texts are clipped to the part where they begin to differ.
  private static func difference(_ old: String, _ new: String) -> String {
    let (old, new) = (DisplayText(old), DisplayText(new))
    let width = 14
    let same = zip(old.cells, new.cells).prefix { $0.text == $1.text }.count
    // A few characters before the difference show where it is.
    let start = max(old.width, new.width) > width && same > 4 ? same - 3 : 0
    let texts = [old, new].map { text in
      (start > 0 ? "…" : "") + DisplayText(cells: text.cells.dropFirst(start)).clipped(to: width).text
    }
    return texts.joined(separator: " → ")
  }
}
