public import JSONTree

/// One thing that is wrong, or doubtful, in a model.
public struct ModelProblem: Hashable, Sendable {
  public enum Severity: String, Hashable, Sendable { case error, warning }

  public var severity: Severity

  /// A stable name for the kind of problem, `unknown-destination`.
  public var code: String

  /// Where it is, in the shape of a YAML model: `/entities/Post/relationships/user/inverse`.
  public var path: JSONPointer

  /// What is wrong, in one sentence without the place.
  public var message: String

  /// The way out, if there is one to name: `did you mean 'posts'?`.
  public var advice: String?

  public init(
    _ severity: Severity = .error, code: String, path: JSONPointer, message: String, advice: String? = nil
  ) {
    self.severity = severity
    self.code = code
    self.path = path
    self.message = message
    self.advice = advice
  }
}

extension ModelProblem {
  /// A key that names no property. `offset` is the position in the key, and `known` all properties there are.
  package static func unknownKeyProperty(
    _ offset: Int, of entity: EntityDescription, among known: @autoclosure () -> [String],
    _ suggestions: inout NameSuggestions
  ) -> ModelProblem {
    let name = entity.primaryKey[offset].rawValue
    let suffix = entity.primaryKey.count == 1 ? [] : [String(offset)]
    return ModelProblem(
      code: "unknown-key-property",
      path: JSONPointer(tokens: ["entities", entity.name.rawValue, "primaryKey"] + suffix),
      message: "'\(entity.name)' has no property '\(name)'",
      advice: suggestions.advice(for: name, among: known()))
  }

  /// A parent that is none of the entities.
  package static func unknownParent(
    _ parent: EntityName, of entity: EntityName, among names: [EntityName],
    _ suggestions: inout NameSuggestions
  ) -> ModelProblem {
    unknownEntity(parent, "unknown-parent", at: [entity.rawValue, "parent"], among: names, &suggestions)
  }

  /// A relationship that leads to none of the entities.
  package static func unknownDestination(
    of relationship: RelationshipDescription, in entity: EntityName, among names: [EntityName],
    _ suggestions: inout NameSuggestions
  ) -> ModelProblem {
    let key = relationship.isToMany ? "toMany" : "to"
    return unknownEntity(
      relationship.destination, "unknown-destination",
      at: [entity.rawValue, "relationships", relationship.name.rawValue, key], among: names, &suggestions)
  }

  private static func unknownEntity(
    _ name: EntityName, _ code: String, at path: [String], among names: [EntityName],
    _ suggestions: inout NameSuggestions
  ) -> ModelProblem {
    ModelProblem(
      code: code, path: JSONPointer(tokens: ["entities"] + path), message: "there is no entity '\(name)'",
      advice: suggestions.advice(for: name.rawValue, among: names.map(\.rawValue)))
  }
}

/// Everything that is wrong with a model, found in one go, in the order of the model.
public struct ModelError: Error, Hashable, Sendable {
  public let problems: [ModelProblem]
  public init(problems: [ModelProblem]) { self.problems = problems }
}

extension ModelError: CustomStringConvertible {
  /// A line for each problem: `/entities/Post/parent: there is no entity 'Pots'; did you mean 'Posts'?`
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension ModelProblem: CustomStringConvertible {
  public var description: String { "\(path): \(message)" + (advice.map { "; \($0)" } ?? "") }
}
