import RecordEngine
import RecordModel
import ScenarioComparison
import ScenarioFormat

extension ScenarioExecution {
  /// Returns the drift of a response, and notes the relationships that its items contain.
  func driftSnapshot(_ report: DriftReport) -> DriftSnapshot {
    for (entity, names) in report.sentProperties {
      let relationships = names.compactMap { scenario.model.schema.relationship($0, of: entity)?.index }
      result.sentRelationships.formUnion(relationships)
    }
    return DriftSnapshot(report)
  }
}

extension ExecutedScenario {
  /// Removes to-many relationships from the missing properties of all steps if no response contains them and some response
  /// contains their inverse: servers usually send one side only. A single response does not show which.
  /// Rule: `diagnostics.drift-inverse`.
  mutating func excuseUnsentInverses(_ schema: Schema) {
    for position in snapshot.steps.indices { excuseUnsentInverses(of: &snapshot.steps[position], schema) }
  }

  private func excuseUnsentInverses(of step: inout StepSnapshot, _ schema: Schema) {
    for position in step.batch.indices { excuseUnsentInverses(of: &step.batch[position], schema) }
    for (name, var entity) in step.drift?.entities ?? [:] {
      entity.missing.removeAll { property in
        guard let relationship = schema.relationship(property, of: name), relationship.isToMany,
          let inverse = relationship.inverse
        else { return false }
        return !sentRelationships.contains(relationship.index) && sentRelationships.contains(inverse)
      }
      step.drift?.entities[name] = entity.hasDrift ? entity : nil
    }
  }
}

extension EntityDriftSnapshot {
  fileprivate var hasDrift: Bool { !unused.isEmpty || !missing.isEmpty || !types.isEmpty }
}
