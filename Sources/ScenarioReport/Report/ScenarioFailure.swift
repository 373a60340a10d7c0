package import ScenarioComparison
package import ScenarioFormat
import ScenarioRun

/// The reasons why a scenario failed.
package struct ScenarioFailure: Sendable {
  /// The findings that fail the scenario: requests without a response, unused responses, and bodies that are not JSON.
  package var findings: [AuthorDiagnostic] = []
  /// The differences from the author's expectations.
  package var expectations = Differences()
  /// The diagnostics that neither the author nor the golden file expects.
  package var diagnostics: [UnexpectedDiagnostics] = []
  /// The remarks on responses, if values or records differ.
  package var remarks: [StepRemark] = []
  /// The first step, from 1, that has no records because of a cause that is reported; nil if there is none.
  package var emptyStep: Int?
  package var golden = GoldenComparison.same
  package var goldenFile: String

  /// A Boolean value that indicates whether the golden file is the only cause of the failure. Only then it may be
  /// blessed.
  package var isGoldenFileOnly: Bool { findings.isEmpty && expectations.isEmpty }
}

extension ScenarioFailure {
  package init(golden: GoldenComparison, goldenFile: String) {
    (self.golden, self.goldenFile) = (golden, goldenFile)
  }
}

// Causes and consequences
extension ScenarioFailure {
  /// An entry of a report.
  package enum Entry: Sendable {
    case finding(AuthorDiagnostic)
    /// Equal differences from the author's expectations.
    case differences(DifferenceGroup)
    case diagnostics(UnexpectedDiagnostics)
    case remark(StepRemark)

    /// The location in the scenario or its model; nil for a whole file or the graph.
    package var span: SourceSpan? {
      switch self {
      case .finding(let finding): finding.span
      case .differences(let group): group.first.first?.location.span
      case .diagnostics(let diagnostics): diagnostics.span
      case .remark(let remark): remark.span
      }
    }
  }

  /// The entries of the report in order, before the golden file.
  package struct Report: Sendable {
    /// The entries that say why the scenario fails, and those that have nothing to do with them.
    package var causes: [Entry] = []
    package var others: [Entry] = []
    /// The entries that follow from a cause without records, such as missing records.
    package var consequences: [Entry] = []
  }

  /// The entries of the report: causes first, then the differences from the expectations, then the consequences.
  package var report: Report {
    var report = Report()
    var unused: [Entry] = []
    for finding in findings.withUnusedResponsesAsNotes {
      if finding.code == .unusedResponse {
        unused.append(.finding(finding))
      } else {
        report.causes.append(.finding(finding))
      }
    }
    report.causes += remarks.map(Entry.remark) + diagnostics.map(Entry.diagnostics)
    // Changes of all records of an entity explain expectations that are not met. Other differences from the golden file
    // come last.
    if !isGoldenFileOnly, emptyStep == nil, case .different(let differences) = golden {
      report.causes += differences.groups.filter(\.isAboutWholeEntity).map(Entry.differences)
    }
    for group in expectations.groups {
      let entry = Entry.differences(group)
      if group.isCause {
        report.causes.append(entry)
      } else if let emptyStep, group.isAbsence, group.first.allSatisfy({ $0.step ?? .max >= emptyStep }) {
        report.consequences.append(entry)
      } else {
        report.others.append(entry)
      }
    }
    report.causes = report.causes.enumerated().sorted { rank($0) < rank($1) }.map(\.element)
    report.others += unused
    // A single consequence is shown in full.
    if report.consequences.count == 1 {
      report.others += report.consequences
      report.consequences = []
    }
    return report
  }

  /// Returns the position of a cause: its line. Differences from the golden file follow. Without a golden file,
  /// diagnostics may be old, so they follow, too.
  private func rank(_ cause: (offset: Int, element: Entry)) -> (Int, Int, Int) {
    var group = 0
    switch cause.element {
    case .diagnostics, .remark: group = golden.isComparable ? 0 : 1
    case .differences(let differences): group = differences.shape.expectation == nil ? 1 : 0
    // An error in the file of a body has a line of another file.
    case .finding(let finding) where finding.code == .noJSON: group = -1
    case .finding: break
    }
    return (group, cause.element.span?.start.line ?? 0, cause.offset)
  }
}

extension DifferenceGroup {
  /// A Boolean value that indicates whether the differences say why others occur.
  fileprivate var isCause: Bool {
    shape.expectation != nil && (shape.property == "failure" || shape.property == "diagnostics")
      && shape.entity == nil
  }

  /// A Boolean value that indicates whether the labels have changed, or a property has lost its values or its type, in
  /// all records of an entity, or whether the items of an entity no longer fit it. Such a change usually has one cause in
  /// the model.
  package var isAboutWholeEntity: Bool {
    switch (shape.kind, shape.change) {
    case _ where shape.isAboutDrift: true
    case (.relabeled, _): true
    case (.changed, .removed), (.changed, .type): isFolded && count == total
    default: false
    }
  }

  /// A Boolean value that indicates whether an expected record or value is missing.
  package var isAbsence: Bool {
    switch shape.kind {
    case .missing, .count, .dangling: true
    case .changed: shape.change == .removed
    case .extra, .duplicated, .order, .inverse, .relabeled: false
    }
  }
}

extension Difference.Location {
  /// The location of an expectation; nil for a golden file or the graph.
  var span: SourceSpan? { if case .expectation(let span) = self { span } else { nil } }
}
