import RecordModel

/// A digest of all declarations of a model, which is the same in every process. A response that was populated with one
/// model is invalid for another one. Rule: `cache.isolation`.
struct ModelDigest {
  private var hash = FNV1a()
  var value: UInt64 { hash.value }

  init(_ model: ManagedObjectModel) { add(Self.text(of: model).utf8) }

  /// Returns a text of all declarations of a model. A dump also includes declarations that are added to the engine
  /// later. Its order depends only on the order of the declarations.
  static func text(of model: ManagedObjectModel) -> String {
    var text = ""
    dump(model.entities, to: &text)
    dump(model.dateFormat, to: &text)
    dump(model.nulls, to: &text)
    return text
  }

  mutating func add(_ bytes: some Sequence<UInt8>) { hash.add(bytes) }
}
