package import RecordModel
package import ScenarioFormat

/// The check whether expectations name tables and columns that the app's store has. They are known only after the run. A
/// misspelled column would otherwise be null in all rows, and its expectation could hold.
struct TableNameCheck {
  private(set) var findings: [AuthorDiagnostic] = []
  private let model: ManagedObjectModel

  init(_ scenario: Scenario, _ model: ManagedObjectModel) {
    self.model = model
    for expectation in scenario.steps.compactMap(\.expectation) + [scenario.expectation] {
      for entity in expectation.graph {
        guard check(entity.entity, at: entity.span) else { continue }
        for match in entity.records { check(match) }
      }
      for update in expectation.updated?.value ?? [] where check(update.record) {
        for name in update.properties ?? [] {
          check(name, of: update.record.value.entity, at: update.record.span)
        }
      }
      let lists = [expectation.inserted, expectation.deleted].compactMap(\.self)
      for member in lists.flatMap({ ($0.exactly ?? []) + ($0.anyOrder ?? []) + ($0.contains ?? []) }) {
        if case .label(let label) = member { check(label) }
      }
    }
  }

  private mutating func check(_ match: RecordMatch) {
    for property in match.properties {
      check(property.name, of: match.entity, at: property.span)
      if case .record(.match(let nested)) = property.value, check(nested.entity, at: nested.span) {
        check(nested)
      }
    }
  }

  @discardableResult
  private mutating func check(_ label: Located<RecordLabel>) -> Bool {
    check(label.value.entity, at: label.span)
  }

  private mutating func check(_ table: EntityName, at span: SourceSpan) -> Bool {
    guard model.entities.allSatisfy({ $0.name != table }) else { return true }
    report(
      AuthorDiagnostic(.unknownEntity, at: span, "the app's store has no table '\(table)'"),
      name: table.rawValue, kind: "tables", among: model.entities.map(\.name.rawValue))
    return false
  }

  private mutating func check(_ column: PropertyName, of table: EntityName, at span: SourceSpan) {
    guard let entity = model.entities.first(where: { $0.name == table }), !entity.mayHave(column) else {
      return
    }
    let columns = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    report(
      AuthorDiagnostic(.unknownProperty, at: span, "no row of '\(table)' has the column '\(column)'"),
      name: column.rawValue, kind: "columns", among: columns.map(\.rawValue))
  }

  private mutating func report(
    _ finding: AuthorDiagnostic, name: String, kind: String, among names: [String]
  ) {
    var finding = finding
    finding.advice =
      nearestName(to: name, among: names).map { "did you mean '\($0)'?" }
      ?? "its \(kind) are \(shortenedList(names))"
    findings.append(finding)
  }
}

extension EntityDescription {
  /// Returns a Boolean value that indicates whether the table has a column, or may have it: without rows and a schema, only the
  /// key is known.
  fileprivate func mayHave(_ column: PropertyName) -> Bool {
    let columns = Set(attributes.map(\.name) + relationships.map(\.name))
    return columns == Set(primaryKey) || columns.contains(column)
  }
}

extension Expectation {
  /// Returns the expectation without rows of tables and without columns that the app's store does not have, which are reported
  /// on their own.
  ///
  /// - Parameter tables: the tables of the store; nil for an expectation of a scenario that runs no app.
  package func known(to tables: ManagedObjectModel?) -> Expectation {
    guard let tables else { return self }
    var known = self
    known.graph = graph.compactMap { expectation in
      guard let table = tables.entities.first(where: { $0.name == expectation.entity }) else { return nil }
      var expectation = expectation
      for index in expectation.records.indices {
        expectation.records[index].properties.removeAll { !table.mayHave($0.name) }
      }
      return expectation
    }
    return known
  }
}
