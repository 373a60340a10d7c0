import JSONTree
import ScenarioFormat

/// A small scenario that passes, with comments that explain the format.
struct ScenarioTemplate {
  /// The path of a model file with the text of `model`, relative to the scenario; nil for a model in the scenario.
  var modelFile: String?
  var title = "Two posts by one author share one User"

  /// The text of the scenario, without comments for editors.
  var text: String {
    """
    # The title states what the scenario tests.
    title: \(Self.scalar(title))
    \(modelPart)
    # The responses of the server, by address. 'bodyFile: posts.json' reads a body from a file.
    responses:
      posts:
        body:
          - {id: 1, body: Hello, author: {id: 7, name: Ada}}
          - {id: 2, body: Again, author: {id: 7, name: Ada}}

    # The actions of the app, in order. This step requests the address 'posts', and stores the items as Post records.
    steps:
      - {request: Post, urn: posts}

    # The expected records. What is not mentioned here is compared with the golden file only.
    expect:
      graph:
        Post: {count: 2}
        User:
          only: [{id: 7, name: Ada, posts: [Post/1, Post/2]}]

    """
  }

  private var modelPart: String {
    if let modelFile { return "model: \(Self.scalar(modelFile))\n" }
    let lines = Self.model.split(separator: "\n").map { "  \($0)\n" }.joined()
    return
      "\n# The kinds of records. To share a model, save it in a file: 'model: app.model.yaml'.\nmodel:\n\(lines)"
  }

  private static func scalar(_ text: String) -> String {
    String(JSONValue.string(text).yamlText().dropLast())
  }

  /// The text of the model file, without comments for editors.
  static let model = """
    entities:
      Post:
        # Items with the same id become one record.
        primaryKey: id
        attributes:
          id: int64
          # The value is read from the key 'body'; without 'from', from the name of the attribute.
          text: {type: string, from: body}
        relationships:
          author: {to: User, inverse: posts}
      User:
        primaryKey: id
        attributes: {id: int64, name: string}
        relationships:
          posts: {toMany: Post, inverse: author}

    """
}
