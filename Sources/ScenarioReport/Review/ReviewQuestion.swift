import JSONTree
import OrderedCollections
import RecordModel
package import ScenarioComparison
import ScenarioFormat

/// A question of a review: the changes that the same golden files have in common.
///
/// A golden file is written only if all of its changes are accepted. Changes that occur in the same files are therefore
/// one question.
package struct ReviewQuestion: Sendable {
  /// A change of all files of the question.
  package enum Change: Sendable {
    case new
    case notCanonical
    case invalid
    /// The differences of one shape, with their number in all files.
    case differences(DifferenceGroup)
  }

  /// The kind of a change, which several files can have in common.
  private enum Subject: Hashable {
    case new(name: String)
    case notCanonical
    case invalid(name: String)
    case differences(DifferenceShape)
  }

  /// The files, in the order of their scenarios. There is at least one.
  package let files: [PendingFile]
  private let subjects: [Subject]

  /// Returns the questions about files, in the order of the first file of each.
  ///
  /// - Complexity: linear in the number of differences.
  package static func questions(about files: [PendingFile]) -> [ReviewQuestion] {
    var owners: OrderedDictionary<Subject, [Int]> = [:]
    for (index, file) in files.enumerated() {
      switch file.content {
      case .new: owners[.new(name: file.name), default: []].append(index)
      case .notCanonical: owners[.notCanonical, default: []].append(index)
      case .invalid: owners[.invalid(name: file.name), default: []].append(index)
      case .differences(let differences):
        for group in differences.groups { owners[.differences(group.shape), default: []].append(index) }
      }
    }
    var subjects: OrderedDictionary<[Int], [Subject]> = [:]
    for (subject, owners) in owners { subjects[owners, default: []].append(subject) }
    return subjects.map { owners, subjects in
      ReviewQuestion(files: owners.map { files[$0] }, subjects: subjects)
    }
  }

  /// Returns the question about some of its files; nil if there are none.
  package func about(_ isIncluded: (PendingFile) -> Bool) -> ReviewQuestion? {
    let files = files.filter(isIncluded)
    return files.isEmpty ? nil : ReviewQuestion(files: files, subjects: subjects)
  }

  /// The changes, in the order of the first file.
  package var changes: [Change] {
    subjects.map { subject in
      switch subject {
      case .new: return .new
      case .notCanonical: return .notCanonical
      case .invalid: return .invalid
      case .differences(let shape):
        let groups = files.compactMap { $0.groups[shape] }
        let count = groups.reduce(0) { $0 + $1.count }
        let first = groups.lazy.flatMap { $0.first.prefix(1) }.prefix(DifferenceGroup.examples)
        return .differences(
          DifferenceGroup(shape: shape, count: count, total: nil, first: Array(first)))
      }
    }
  }

  /// Returns the differences of a file that belong to the question.
  package func differences(of file: PendingFile) -> Differences {
    guard case .differences(let differences) = file.content else { return Differences() }
    let subjects = Set(subjects)
    return differences.filter { subjects.contains(.differences($0.shape)) }
  }

  /// The identifier: eight hexadecimal digits. It depends on the changes, the golden files and the complete results, so
  /// that an identifier from an earlier run never accepts another result.
  package var id: String {
    var hash = FNV1a()
    for change in changes {
      if case .differences(let group) = change { hash.add(DifferenceRenderer.headline(of: group).utf8) }
      hash.add([0])
    }
    for file in files {
      hash.add(file.name.utf8)
      hash.add([0])
      hash.add(file.recorded ?? [])
      hash.add([0])
      hash.add(file.snapshot.goldenForm.canonicalText().utf8)
      hash.add([0])
    }
    return String(hash.hexadecimal.suffix(8))
  }
}
