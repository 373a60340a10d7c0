internal import JSONTree
internal import OrderedCollections
internal import RecordModel

/// A question of a review: the changes that the same golden files have in common.
///
/// A golden file is written only if all of its changes are accepted. Changes that occur in the same files are therefore
/// one question.
package struct ReviewQuestion: Sendable {
  /// A change of all files of the question.
  package enum Change: Sendable {
    case new
    case form
    case invalid
    /// The differences of one shape, with their number in all files.
    case differences(DifferenceGroup)
  }

  /// The changes, in the order of the first file.
  package let changes: [Change]
  /// The files, in the order of their scenarios. There is at least one.
  package let files: [PendingFile]
  /// The identifier: eight hexadecimal digits. It depends on everything that is accepted with the question, so that an
  /// identifier from an earlier run never accepts another change.
  package let id: String

  private init(changes: [Change], shapes: Set<DifferenceShape>, files: [PendingFile]) {
    self.changes = changes
    self.files = files
    var hash = FNV1a()
    for file in files {
      hash.add(file.name.utf8)
      hash.add([0])
      if case .differences(let differences) = file.content {
        let group = differences.filter { shapes.contains($0.shape) }
        hash.add(DifferenceRenderer(isUnfolded: true).text(of: group).utf8)
      } else {
        hash.add(file.snapshot.goldenForm.compactText().utf8)
      }
      hash.add([0])
    }
    let digits = String(hash.value & 0xFFFF_FFFF, radix: 16)
    id = String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// Returns the differences of a file that belong to the question.
  package func differences(of file: PendingFile) -> Differences {
    guard case .differences(let differences) = file.content else { return Differences() }
    let shapes = Set(
      changes.compactMap { if case .differences(let group) = $0 { group.shape } else { nil } })
    return differences.filter { shapes.contains($0.shape) }
  }
}

extension ReviewQuestion {
  private enum Subject: Hashable {
    case new(Int)
    case form
    case invalid(Int)
    case differences(DifferenceShape)
  }

  /// Returns the questions about files, in the order of the first file of each.
  ///
  /// - Complexity: linear in the number of differences.
  package static func questions(about files: [PendingFile]) -> [ReviewQuestion] {
    var owners: OrderedDictionary<Subject, [Int]> = [:]
    var groups: [DifferenceShape: (count: Int, first: [Difference])] = [:]
    for (index, file) in files.enumerated() {
      switch file.content {
      case .new: owners[.new(index), default: []].append(index)
      case .form: owners[.form, default: []].append(index)
      case .invalid: owners[.invalid(index), default: []].append(index)
      case .differences(let differences):
        for group in differences.groups {
          owners[.differences(group.shape), default: []].append(index)
          groups[group.shape, default: (0, [])].count += group.count
          if groups[group.shape, default: (0, [])].first.count < DifferenceGroup.examples {
            groups[group.shape]?.first += group.first.prefix(DifferenceGroup.examples)
          }
        }
      }
    }
    var subjects: OrderedDictionary<[Int], [Subject]> = [:]
    for (subject, owners) in owners { subjects[owners, default: []].append(subject) }
    return subjects.map { owners, subjects in
      var shapes: Set<DifferenceShape> = []
      let changes = subjects.map { subject -> Change in
        switch subject {
        case .new: return .new
        case .form: return .form
        case .invalid: return .invalid
        case .differences(let shape):
          shapes.insert(shape)
          let group = groups[shape] ?? (0, [])
          return .differences(
            DifferenceGroup(shape: shape, count: group.count, total: nil, first: group.first))
        }
      }
      return ReviewQuestion(changes: changes, shapes: shapes, files: owners.map { files[$0] })
    }
  }
}
