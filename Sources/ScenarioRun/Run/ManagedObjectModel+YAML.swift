import JSONTree
import RecordEngine
public import RecordModel
import ScenarioFormat

extension ManagedObjectModel {
  /// Returns the model as the text of a model file (`*.model.yaml`). With the file, the command line runs the same
  /// scenarios as a test target that uses the model.
  ///
  /// The text lists the entities in their order, and omits defaults. Names, paths and keys that representations and
  /// record types declare are included. A model file cannot express other code, for example:
  ///
  /// - a primary key that a `Representation` computes
  /// - marshalers and value transformers; the text contains the names of transformers
  /// - `represents(_:)` of a record type, which is detected only if it returns a value for an empty dictionary
  ///
  /// - Parameters:
  ///   - registrations: the Swift code that scenarios use with this model. Code that is not registered is not found.
  ///   - isLossy: a Boolean value that indicates whether to omit what a model file cannot express.
  /// - Throws: `ModelError` with every part that a model file cannot express, unless `isLossy` is true, or if the
  ///   declarations of a record type are invalid.
  /// - Complexity: linear in the number of entities and their properties.
  public func yaml(
    registering registrations: ScenarioRegistrations = ScenarioRegistrations(), lossy isLossy: Bool = false
  ) throws(ModelError) -> String {
    let export = ModelExport(try represented(by: registrations.recordTypes(of: self)))
    let losses = export.losses + registrations.losses(of: self)
    guard isLossy || losses.isEmpty else { throw ModelError(problems: losses) }
    return export.text
  }
}

extension ScenarioRegistrations {
  /// Returns a problem for each part of the registered code that changes the population of a model's records.
  fileprivate func losses(of model: ManagedObjectModel) -> [ModelProblem] {
    let types = Dictionary(recordTypes.map { (String(describing: $0), $0) }, uniquingKeysWith: { $1 })
    let item = JSONDocument(.object([:])).root
    var losses: [ModelProblem] = []
    for (entity, description) in zip(model.schema.entities, model.entities) {
      let path = ["entities", entity.name.rawValue]
      let type = types[entity.className]
      if entity.parent != nil, let type, type.represents(item) != nil {
        losses.append(
          .loss(
            at: path + ["usedWhen"], "'\(type)' chooses its items in code", advice: "declare 'usedWhen'"))
      }
      if (marshalers[entity.name] ?? type?.marshaler) != nil {
        losses.append(.loss(at: path, "the records of '\(entity.name)' are populated by a marshaler"))
      }
      for attribute in description.attributes {
        guard let name = attribute.transformer, transformers[name] != nil else { continue }
        losses.append(
          .loss(
            at: path + ["attributes", attribute.name.rawValue, "transformer"],
            "the values of '\(attribute.name)' are transformed by the code of '\(name)'"))
      }
    }
    return losses
  }
}
