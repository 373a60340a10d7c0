package import JSONTree
import RecordModel
import ScenarioComparison

/// A three-way merge of golden files: record by record, property by property and step by step.
///
/// A value that only one side has changed is taken from this side. Lists of records whose order has no meaning are merged
/// as sets: inserted and deleted records, updated properties, and relationships that are sorted on all sides. If both sides have changed a value in different ways, the merge keeps
/// ours and reports a conflict. Linear in the size of the files, except for the pairing of steps; see `StepPairing`.
package struct GoldenMerge {
  /// A value that both sides have changed in different ways.
  package struct Conflict: Hashable, Sendable {
    /// The location: `Post/1: 'text'`, or `step 2: 'records'`.
    package var location: String
    /// The value in the common ancestor; nil if it has none.
    package var base: JSONValue?
    package var ours: JSONValue?
    package var theirs: JSONValue?
  }

  /// The merged contents, with our values for conflicts.
  package private(set) var result: JSONValue = .null
  /// The conflicts in the order of the file: first those of the graph, then those of the steps.
  package private(set) var conflicts: [Conflict] = []
  /// The labels of all records.
  private let labels: Set<ScalarString>

  /// Merges the contents of three golden files.
  ///
  /// - Parameter base: the common ancestor; empty if both sides have added the file.
  package init(base: JSONObject, ours: JSONObject, theirs: JSONObject) {
    let groups = [base, ours, theirs].flatMap { $0.object("graph").values }
    labels = Set(groups.flatMap { Optional($0).object.keys }.map { ScalarString($0) })
    let graph = mergedGraph(base.object("graph"), ours.object("graph"), theirs.object("graph"))
    let steps = mergedSteps(base.steps("steps"), ours.steps("steps"), theirs.steps("steps"), of: nil)
    result = ["graph": .object(graph), "steps": .array(steps.map(JSONValue.object))]
  }

  private mutating func conflict(
    at location: String, _ base: JSONValue?, _ ours: JSONValue?, _ theirs: JSONValue?
  ) {
    conflicts.append(Conflict(location: location, base: base, ours: ours, theirs: theirs))
  }
}

// Values
extension GoldenMerge {
  private mutating func merged(
    _ base: JSONValue?, _ ours: JSONValue?, _ theirs: JSONValue?, at location: String, isSet: Bool
  ) -> JSONValue? {
    if ours == theirs || base == theirs { return ours }
    if base == ours { return theirs }
    if isSet, let set = Self.mergedSet(base, ours, theirs) { return set }
    guard case (.object(let base)?, .object(let ours)?, .object(let theirs)?) = (base, ours, theirs) else {
      conflict(at: location, base, ours, theirs)
      return ours
    }
    return .object(
      mergedMembers(base, ours, theirs) { merge, name, base, ours, theirs in
        merge.merged(base, ours, theirs, at: "\(location) of \(name)", isSet: isSet)
      })
  }

  /// Merges objects member by member. A function merges the values of one member, of which nil means that the object
  /// does not contain the member.
  private mutating func mergedMembers(
    _ base: JSONObject, _ ours: JSONObject, _ theirs: JSONObject,
    _ merge: (inout GoldenMerge, String, JSONValue?, JSONValue?, JSONValue?) -> JSONValue?
  ) -> JSONObject {
    var result = JSONObject()
    for name in ours.keys + theirs.keys.filter({ ours[$0] == nil }) {
      result[name] = merge(&self, name, base[name], ours[name], theirs[name])
    }
    return result
  }

  /// Returns a Boolean value that indicates whether a value is a list of labels of records.
  private func hasOnlyRecords(_ value: JSONValue?) -> Bool {
    guard let value else { return true }
    guard case .array(let elements) = value else { return false }
    return elements.allSatisfy { element in
      if case .string(let text) = element { labels.contains(ScalarString(text)) } else { false }
    }
  }

  /// Merges lists of strings that are sorted and without repetitions on all sides. Returns nil for any other value.
  private static func mergedSet(
    _ base: JSONValue?, _ ours: JSONValue?, _ theirs: JSONValue?
  ) -> JSONValue? {
    guard let base = sortedStrings(base ?? .array([])), let ours = sortedStrings(ours ?? .array([])),
      let theirs = sortedStrings(theirs ?? .array([]))
    else { return nil }
    let (before, left, right) = (Set(base), Set(ours), Set(theirs))
    let kept = left.union(right).filter { !before.contains($0) || (left.contains($0) && right.contains($0)) }
    return kept.isEmpty ? nil : .array(kept.sorted().map { .string($0.string) })
  }

  /// Returns the elements of a list of strings that are sorted by their scalars and unique; nil for any other value.
  private static func sortedStrings(_ value: JSONValue) -> [ScalarString]? {
    guard case .array(let elements) = value else { return nil }
    var strings: [ScalarString] = []
    for element in elements {
      guard case .string(let text) = element else { return nil }
      let string = ScalarString(text)
      if let last = strings.last, !(last < string) { return nil }
      strings.append(string)
    }
    return strings
  }
}

// Graph
extension GoldenMerge {
  private mutating func mergedGraph(
    _ base: JSONObject, _ ours: JSONObject, _ theirs: JSONObject
  ) -> JSONObject {
    mergedMembers(base, ours, theirs) { merge, _, base, ours, theirs in
      // A golden file omits an entity without records.
      let records = merge.mergedMembers(base.object, ours.object, theirs.object) {
        merge, label, base, ours, theirs in
        merge.mergedRecord(label, base, ours, theirs)
      }
      return records.isEmpty ? nil : .object(records)
    }
  }

  private mutating func mergedRecord(
    _ label: String, _ base: JSONValue?, _ ours: JSONValue?, _ theirs: JSONValue?
  ) -> JSONValue? {
    if ours == theirs || base == theirs { return ours }
    if base == ours { return theirs }
    // A record that one side has deleted, or that both have inserted with different values, is one conflict.
    guard case (.object(let base)?, .object(let left)?, .object(let right)?) = (base, ours, theirs) else {
      conflict(at: label, base, ours, theirs)
      return ours
    }
    return .object(
      mergedMembers(base, left, right) { merge, property, base, ours, theirs in
        merge.merged(
          base, ours, theirs, at: "\(label): '\(property)'",
          isSet: [base, ours, theirs].allSatisfy { merge.hasOnlyRecords($0) })
      })
  }
}

// Steps
extension GoldenMerge {
  /// Merges steps, or the requests of a batch.
  ///
  /// - Parameter owner: the location of the batch; nil for the steps of the scenario.
  private mutating func mergedSteps(
    _ base: [JSONObject], _ ours: [JSONObject], _ theirs: [JSONObject], of owner: String?
  ) -> [JSONObject] {
    let left = AlignedSteps(base, ours)
    let right = AlignedSteps(base, theirs)
    func location(_ index: Int) -> String {
      owner.map { "\($0), request \(index + 1)" } ?? "step \(index + 1)"
    }
    var result: [JSONObject] = []
    for row in 0...base.count {
      result += insertedSteps(left.inserted[row], right.inserted[row], at: "steps before " + location(row))
      guard row < base.count else { break }
      let (mine, other) = (left.paired[row], right.paired[row])
      switch (mine, other) {
      case (let mine?, let other?):
        result.append(mergedStep(base[row], ours[mine], theirs[other], at: location(mine)))
      case (let mine?, nil) where ours[mine] != base[row]:
        conflict(at: location(mine), .object(base[row]), .object(ours[mine]), nil)
        result.append(ours[mine])
      case (nil, let other?) where theirs[other] != base[row]:
        conflict(at: location(row), .object(base[row]), nil, .object(theirs[other]))
      default: break
      }
    }
    return result
  }

  /// Merges steps that were inserted at the same location.
  private mutating func insertedSteps(
    _ ours: [JSONObject], _ theirs: [JSONObject], at location: String
  ) -> [JSONObject] {
    if ours == theirs || theirs.isEmpty { return ours }
    if ours.isEmpty { return theirs }
    conflict(
      at: location, nil, .array(ours.map(JSONValue.object)), .array(theirs.map(JSONValue.object)))
    return ours
  }

  private mutating func mergedStep(
    _ base: JSONObject, _ ours: JSONObject, _ theirs: JSONObject, at location: String
  ) -> JSONObject {
    mergedMembers(base, ours, theirs) { merge, field, base, ours, theirs in
      if field == "batch", ours != theirs, let base, let ours, let theirs {
        let steps = merge.mergedSteps(base.steps, ours.steps, theirs.steps, of: location)
        return .array(steps.map(JSONValue.object))
      }
      return merge.merged(
        base, ours, theirs, at: "\(location): '\(field)'",
        isSet: ["inserted", "deleted", "updated"].contains(field))
    }
  }
}

/// The steps of one side, aligned with those of the common ancestor.
private struct AlignedSteps {
  /// For each step of the ancestor, the index of the step that it became; nil if it was removed.
  var paired: [Int?]
  /// The inserted steps before each step of the ancestor, and after the last.
  var inserted: [[JSONObject]]

  init(_ base: [JSONObject], _ side: [JSONObject]) {
    paired = Array(repeating: nil, count: base.count)
    inserted = Array(repeating: [], count: base.count + 1)
    var rows: [Int: Int] = [:]
    for (row, index) in StepPairing(recorded: base, actual: side).pairs {
      paired[row] = index
      rows[index] = row
    }
    var next = 0
    for (index, step) in side.enumerated() {
      if let row = rows[index] { next = row + 1 } else { inserted[next].append(step) }
    }
  }
}

// A golden file omits empty objects and lists.

extension JSONObject {
  fileprivate func object(_ name: String) -> JSONObject { self[name].object }
  fileprivate func steps(_ name: String) -> [JSONObject] { self[name]?.steps ?? [] }
}

extension JSONValue {
  fileprivate var steps: [JSONObject] {
    guard case .array(let elements) = self else { return [] }
    return elements.map { Optional($0).object }
  }
}

extension JSONValue? {
  fileprivate var object: JSONObject {
    if case .object(let members)? = self { members } else { [:] }
  }
}
