import RecordModel

@testable import RecordEngine

/// Conditions that every valid model satisfies.
enum SchemaOracle {
  static func check(_ model: ManagedObjectModel) {
    let schema = model.schema
    let stored = StoredModel(schema)
    expect(StoredModel(text: stored.text) == stored, "the model is read otherwise from a store's file")
    if case .same = ModelMigration(from: stored, to: stored, hasDefault: { _, _ in false }).outcome {
    } else {
      fatalError("a store of the model does not fit it")
    }
    expectNoError("a store has no room for the model") {
      let connection = try SQLiteConnection(path: ":memory:", mayCreate: true, listWidth: 4)
      for object in SQLiteLayout(schema, stored).objects(schema) { try connection.run(object.sql) }
    }
  }
}
