import JSONTree
import OrderedCollections
import RecordModel
import ScenarioFormat
import ScenarioReport

/// A model that is inferred from responses, with a comment on each guess.
struct InferredModel {
  let model: ManagedObjectModel
  /// The text of the model file.
  let text: String
  /// The entity of each group of items; nil for a group without items.
  let roots: [EntityName?]
  /// The guesses that little supports.
  let weakGuesses: [WeakGuess]

  /// Infers the model of groups of items, one group for each response.
  ///
  /// - Throws: the errors of the model, if the items suggest an invalid one.
  init(_ groups: [ItemLocation]) throws(ModelError) {
    var builder = InferredModelBuilder(EntityInference(groups))
    builder.build()
    builder.setKeyPaths(groups)
    model = try ManagedObjectModel(entities: builder.entities, dateFormat: builder.dateFormat)
    text = ModelExport(model).text(comments: builder.comments)
    roots = builder.inference.roots.map { root in root.map { builder.names[$0] } }
    weakGuesses = builder.weakGuesses
  }
}
