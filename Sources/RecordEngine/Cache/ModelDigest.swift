import RecordModel

/// A number that stands for everything that a model says, the same one in every process: what a response became under one
/// model is nothing under another. Rule: `cache.isolation`.
struct ModelDigest {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  init(_ model: ManagedObjectModel) { add(Self.text(of: model).utf8) }

  /// All that is declared, whatever is declared one day: a dump leaves nothing out, and has no order but that of the
  /// declarations.
  static func text(of model: ManagedObjectModel) -> String {
    var text = ""
    dump(model.entities, to: &text)
    dump(model.dateFormat, to: &text)
    dump(model.nulls, to: &text)
    return text
  }

  /// FNV-1a.
  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }
}
