import RecordSpec

extension TemporaryFolder {
  func load(_ name: String) -> LoadedScenario { Scenario.load(path: "\(path)/\(name)", root: path) }
}

/// The parts of a scenario that a test does not examine.
enum Parts {
  static let title = "title: A post\n"
  static let model = """
    model:
      entities:
        Content:
          abstract: true
          primaryKey: id
          attributes: {id: string, date: {type: date, from: created_at, format: yyyy-MM-dd}}
        Post:
          parent: Content
          responseKeyPath: data
          attributes: {text: string, rating: int32, price: decimal, isNew: boolean, extra: transformable}
          relationships:
            user: {to: User, inverse: posts}
            tags: {toMany: Tag, inverse: posts}
        Tag:
          attributes: {text: string}
          relationships: {posts: {toMany: Post, inverse: tags}}
        User:
          primaryKey: id
          attributes: {id: string, name: string}
          relationships:
            posts: {toMany: Post, inverse: user}
            counts: {to: Counts, inverse: user, deleteRule: cascade}
        Counts:
          primaryKey: user
          attributes: {followers: int32}
          relationships: {user: {to: User, inverse: counts}}
        Line:
          primaryKey: [order, position]
          attributes: {order: int64, position: int16}

    """
  static let responses = "responses:\n  posts: {body: []}\n"
  static let steps = "steps:\n  - request: Post\n    urn: posts\n"
}

/// Returns a scenario with default parts, some of which can be replaced.
func scenario(
  model: String = Parts.model, responses: String = Parts.responses, steps: String = Parts.steps,
  more: String = ""
) throws -> LoadedScenario {
  let folder = try TemporaryFolder()
  try folder.write(Parts.title + model + responses + steps + more, to: "a.yaml")
  return folder.load("a.yaml")
}

extension LoadedScenario {
  /// The lines and codes of the diagnostics.
  var summary: [String] { diagnostics.map { "\($0.span?.start.line ?? 0) \($0.code.rawValue)" } }

  /// The rendered diagnostics, for tests that expect none.
  var complaints: String { DiagnosticRenderer().text(of: diagnostics) }
}
