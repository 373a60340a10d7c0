import JSONTree
import RecordModel
import ScenarioFormat

/// The pairing of recorded records with actual records. Labels that contain a key are paired by label. Numbered records
/// are paired by their contents and by the records that link to them, because one additional record changes all
/// numbers.
///
/// Linear in the number of records and links, except for records that neither their key nor their content can pair.
struct RecordPairing {
  private(set) var pairs: [(recorded: RecordLabel, actual: RecordLabel)] = []
  private(set) var missing: [RecordLabel] = []
  private(set) var extra: [RecordLabel] = []
  /// The actual records that share the key of a recorded one.
  private(set) var duplicated: [(recorded: RecordLabel, actual: [RecordLabel])] = []
  /// The entities whose records all have other labels, sorted.
  private(set) var relabeled: [Relabeling] = []
  /// The actual label of each recorded record.
  private(set) var translation: [RecordLabel: RecordLabel] = [:]

  private let recorded: Side
  private let actual: Side

  /// The maximum number of comparisons among the unpaired records of a group.
  private static let comparisons = 250_000

  init(recorded: RecordedContent, actual: RecordedContent, model: Schema) {
    let relabeled = Relabeling.find(recorded: recorded, actual: actual, model: model)
    self.recorded = Side(recorded, model: model, relabeled: Set(relabeled.keys))
    self.actual = Side(actual, model: model, relabeled: Set(relabeled.keys))
    // Owners come first, because the labels of the records that they own contain their labels.
    self.relabeled = relabeled.values.sorted { $0.entity < $1.entity }
    for relabeling in self.relabeled { pair(relabeling, model: model) }
    var groups: [Int: [RecordLabel]] = [:]
    for label in recorded.records.keys where relabeled[label.entity] == nil {
      groups[Self.depth(of: label), default: []].append(label)
    }
    var actualGroups = Dictionary(grouping: actual.records.keys.filter { relabeled[$0.entity] == nil }) {
      actual.base(of: $0)
    }
    for (_, labels) in groups.sorted(by: { $0.key < $1.key }) {
      let byBase = Dictionary(grouping: labels) { translatedBase(of: $0) }
      for (base, members) in byBase.sorted(by: { $0.key < $1.key }) {
        pair(Self.sorted(members) { $0 }, actualGroups.removeValue(forKey: base) ?? [], base: base)
      }
    }
    extra += actualGroups.values.flatMap { $0 }
    pairs = Self.sorted(pairs) { $0.recorded }
    missing = Self.sorted(missing) { $0 }
    extra = Self.sorted(extra) { $0 }
    duplicated = Self.sorted(duplicated) { $0.recorded }
  }

  private static func depth(of label: RecordLabel) -> Int { label.rawValue.utf8.count { $0 == 0x40 } }

  /// Returns the elements sorted by label, with numbers in numeric order.
  static func sorted<Element>(_ elements: [Element], by label: (Element) -> RecordLabel) -> [Element] {
    elements
      .map { element in
        let label = label(element)
        return (base: label.base, number: label.number, element: element)
      }
      .sorted { ($0.base, $0.number) < ($1.base, $1.number) }
      .map(\.element)
  }

  private func translatedBase(of label: RecordLabel) -> RecordLabel {
    let base = recorded.content.base(of: label)
    guard let owner = base.owner, let entity = recorded.content.records[label]?.entity else { return base }
    return .owned(entity, by: translation[owner] ?? owner)
  }

  private mutating func pair(_ recorded: [RecordLabel], _ actual: [RecordLabel], base: RecordLabel) {
    if recorded.count == 1, actual.count == 1 { return pair(recorded[0], actual[0]) }
    guard !actual.isEmpty else {
      missing += recorded
      return
    }

    var left = recorded
    var right = Self.sorted(actual) { $0 }
    pairEqual(&left, &right)
    pairNearest(&left, &right)
    missing += left
    let isIdentified = base.rawValue.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "@") }
    if isIdentified, recorded.count == 1, !right.isEmpty {
      duplicated.append((recorded[0], Self.sorted(actual) { $0 }))
    } else {
      extra += right
    }
  }

  /// Pairs the records of an entity whose labels have changed: those with equal attributes besides the key, then the
  /// others in order.
  private mutating func pair(_ relabeling: Relabeling, model: Schema) {
    let key = Set(model.key(of: relabeling.entity))
    func attributes(_ label: RecordLabel, in side: Side) -> [PropertyName: JSONValue] {
      (side.content.records[label]?.properties ?? [:]).filter {
        !key.contains($0.key) && model.relationship($0.key, of: relabeling.entity) == nil
      }
    }
    var waiting: [[PropertyName: JSONValue]: [RecordLabel]] = [:]
    for label in relabeling.actual.reversed() {
      waiting[attributes(label, in: actual), default: []].append(label)
    }
    var taken: Set<RecordLabel> = []
    let left = relabeling.recorded.filter { label in
      guard let match = waiting[attributes(label, in: recorded)]?.popLast() else { return true }
      pair(label, match)
      taken.insert(match)
      return false
    }
    for (label, match) in zip(left, relabeling.actual.filter { !taken.contains($0) }) { pair(label, match) }
  }

  /// Pairs records that look alike: by label if possible, then in order.
  private mutating func pairEqual(_ left: inout [RecordLabel], _ right: inout [RecordLabel]) {
    let looks = Dictionary(right.map { ($0, actual.look(of: $0)) }, uniquingKeysWith: { first, _ in first })
    var taken: Set<RecordLabel> = []
    left.removeAll { label in
      guard looks[label] == recorded.look(of: label) else { return false }
      pair(label, label)
      return taken.insert(label).inserted
    }
    var waiting: [ScalarString: [RecordLabel]] = [:]
    for label in right.reversed() where !taken.contains(label) {
      waiting[looks[label] ?? "", default: []].append(label)
    }
    left.removeAll { label in
      guard let match = waiting[recorded.look(of: label)]?.popLast() else { return false }
      pair(label, match)
      return taken.insert(match).inserted
    }
    right.removeAll { taken.contains($0) }
  }

  private mutating func pairNearest(_ left: inout [RecordLabel], _ right: inout [RecordLabel]) {
    guard !left.isEmpty, !right.isEmpty else { return }
    if left.count * right.count > Self.comparisons {
      // There are too many records to compare, so they are paired in order.
      for (label, match) in zip(left, right) { pair(label, match) }
      (left, right) = (Array(left.dropFirst(right.count)), Array(right.dropFirst(left.count)))
      return
    }
    let isLastOfBoth = left.count == 1 && right.count == 1
    left.removeAll { label in
      var best: (index: Int, score: Int)?
      for (index, candidate) in right.enumerated() {
        let score = likeness(label, candidate)
        if score > (best?.score ?? (isLastOfBoth ? -1 : 0)) { best = (index, score) }
      }
      guard let best else { return false }
      pair(label, right.remove(at: best.index))
      return true
    }
  }

  /// Returns the number of properties with equal values.
  private func likeness(_ left: RecordLabel, _ right: RecordLabel) -> Int {
    let other = actual.content.records[right]?.properties ?? [:]
    return (recorded.content.records[left]?.properties ?? [:]).count { other[$0.key] == $0.value }
  }

  private mutating func pair(_ recorded: RecordLabel, _ actual: RecordLabel) {
    pairs.append((recorded, actual))
    translation[recorded] = actual
  }
}

/// One side of the comparison, with the information that distinguishes its numbered records.
private struct Side {
  let content: RecordedContent
  private let model: Schema
  /// The entities whose labels are not those of the other side.
  private let relabeled: Set<EntityName>
  /// The records that link to each numbered record, as text.
  private var owners: [RecordLabel: [String]] = [:]

  init(_ content: RecordedContent, model: Schema, relabeled: Set<EntityName>) {
    self.content = content
    self.relabeled = relabeled
    self.model = model
    for (label, record) in content.records {
      for (name, value) in record.properties where model.relationship(name, of: record.entity) != nil {
        for link in Self.links(of: value) where link.isNumbered {
          owners[link, default: []].append("\(masked(label))\n\(name)")
        }
      }
    }
  }

  /// Returns a text that is equal for records that differ only in numbers.
  func look(of label: RecordLabel) -> ScalarString {
    guard let record = content.records[label] else { return "" }
    var lines: [String] = []
    for (name, value) in record.properties.sorted(by: { $0.key < $1.key }) {
      if model.relationship(name, of: record.entity) != nil {
        lines.append("\(name) \(Self.links(of: value).map { masked($0) }.sorted(by: scalarsPrecede))")
      } else {
        lines.append("\(name) \(value.canonicalText())")
      }
    }
    lines += owners[label, default: []].sorted(by: scalarsPrecede)
    return ScalarString(lines.joined(separator: "\n"))
  }

  private func masked(_ label: RecordLabel) -> String {
    if relabeled.contains(label.entity) { return "\(label.entity)~" }
    return label.isNumbered ? "\(content.base(of: label).base)~" : label.rawValue
  }

  private static func links(of value: JSONValue) -> [RecordLabel] {
    switch value {
    case .string(let text): [RecordLabel(text)]
    case .array(let elements):
      elements.compactMap { if case .string(let text) = $0 { RecordLabel(text) } else { nil } }
    default: []
    }
  }
}
