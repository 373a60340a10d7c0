public import JSONTree

/// An error or a warning about a model.
public struct ModelProblem: Hashable, Sendable {
  /// The severity of a problem.
  public enum Severity: String, Hashable, Sendable { case error, warning }

  /// The severity. The default is `error`.
  public var severity: Severity

  /// A stable name for the kind of problem, for example `unknown-destination`.
  public var code: String

  /// The location in the structure of a YAML model: `/entities/Post/relationships/user/inverse`.
  public var path: JSONPointer

  /// One sentence without the location.
  public var message: String

  /// The correction to suggest, if there is one, for example `did you mean 'posts'?`.
  public var advice: String?

  /// The location of another part of the model that contradicts this one; nil if there is none.
  package var otherPath: JSONPointer?

  /// Creates a problem.
  package init(
    _ severity: Severity = .error, code: String, path: JSONPointer, message: String, advice: String? = nil,
    otherPath: JSONPointer? = nil
  ) {
    self.severity = severity
    self.code = code
    self.path = path
    self.message = message
    self.advice = advice
    self.otherPath = otherPath
  }
}

extension ModelProblem {
  /// Creates the problem of a key that names an unknown property.
  ///
  /// - Parameters:
  ///   - offset: the position of the name in the key.
  ///   - known: the names of all properties of the entity.
  package static func unknownKeyProperty(
    _ offset: Int, of entity: EntityDescription, among known: @autoclosure () -> [String],
    _ suggestions: inout NameSuggestions
  ) -> ModelProblem {
    let name = entity.primaryKey[offset].rawValue
    let known = known()
    let suffix = entity.primaryKey.count == 1 ? [] : [String(offset)]
    return ModelProblem(
      code: "unknown-key-property",
      path: JSONPointer(tokens: ["entities", entity.name.rawValue, "primaryKey"] + suffix),
      message: "'\(entity.name)' has no property '\(name)'",
      advice: suggestions.advice(for: name, among: known)
        ?? (known.isEmpty ? "add it to 'attributes'" : "its properties are \(shortenedList(known))"))
  }

  /// Creates the problem of an unknown parent.
  package static func unknownParent(
    _ parent: EntityName, of entity: EntityName, among names: [EntityName],
    _ suggestions: inout NameSuggestions
  ) -> ModelProblem {
    ModelProblem(
      code: "unknown-parent", path: JSONPointer(tokens: ["entities", entity.rawValue, "parent"]),
      message: unknownEntity(parent),
      advice: suggestions.advice(for: parent.rawValue, among: names.map(\.rawValue)))
  }

  /// Creates the problem of a relationship with an unknown destination.
  package static func unknownDestination(
    of relationship: RelationshipDescription, in entity: EntityName, among names: [EntityName],
    _ suggestions: inout NameSuggestions
  ) -> ModelProblem {
    unknownDestination(
      of: relationship, in: entity, message: unknownEntity(relationship.destination),
      advice: suggestions.advice(for: relationship.destination.rawValue, among: names.map(\.rawValue)))
  }

  /// Creates the problem of a relationship with an unknown destination, with another message and advice.
  package static func unknownDestination(
    of relationship: RelationshipDescription, in entity: EntityName, message: String, advice: String?
  ) -> ModelProblem {
    ModelProblem(
      code: "unknown-destination",
      path: JSONPointer(
        tokens: [
          "entities", entity.rawValue, "relationships", relationship.name.rawValue,
          relationship.isToMany ? "toMany" : "to",
        ]),
      message: message, advice: advice)
  }

  /// Returns the problem of an inverse that the destination does not have. `known` contains the names of the
  /// destination's relationships.
  package static func unknownInverse(
    _ inverse: PropertyName, of relationship: PropertyName, in entity: EntityName, destination: EntityName,
    among known: @autoclosure () -> [String], _ suggestions: inout NameSuggestions
  ) -> ModelProblem {
    ModelProblem(
      code: "unknown-inverse",
      path: JSONPointer(
        tokens: ["entities", entity.rawValue, "relationships", relationship.rawValue, "inverse"]),
      message: "'\(destination)' has no relationship '\(inverse)'",
      advice: suggestions.advice(for: inverse.rawValue, among: known()))
  }

  private static func unknownEntity(_ name: EntityName) -> String { "unknown entity '\(name)'" }
}

/// All problems of an invalid model, in the order of the model.
public struct ModelError: Error, Hashable, Sendable {
  public let problems: [ModelProblem]
  package init(problems: [ModelProblem]) { self.problems = problems }
}

extension ModelError: CustomStringConvertible {
  /// One line for each problem: `/entities/Post/parent: unknown entity 'Pots'; did you mean 'Posts'?`
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension ModelProblem: CustomStringConvertible {
  public var description: String { "\(path): \(message)" + (advice.map { "; \($0)" } ?? "") }
}
