/// The advice for unknown keys that authors probably write for a reason: a key that belongs elsewhere, and a key under
/// the name that it has in other tools.
enum KeyAdvice {
  /// Returns the location of a key in the format; nil if no mapping has it, or if many have it.
  static func home(of key: String) -> String? { homes.first { $0.keys.contains(key) }?.name }

  /// Returns the keys that are probably meant, if an author writes a key under another name. Case, `_` and `-` are
  /// ignored.
  static func meant(by key: String, in otherNames: [String: [String]]) -> [String] {
    otherNames[key.lowercased().filter { $0 != "_" && $0 != "-" }] ?? []
  }

  private static let homes: [(name: String, keys: [String])] = [
    (
      "at the top level of the scenario",
      [
        "covers", "tags", "skip", "xfail", "model", "baseURL", "servers", "now", "store", "responses",
        "defaults", "steps",
      ]
    ),
    ("in 'model'", ["entities", "nulls"]),
    (
      "in an entity of the model",
      [
        "primaryKey", "responseKeyedBy", "usedWhen", "deletedWhen", "detailURN", "modificationAttribute",
        "dictionaryAttribute", "attributes", "relationships", "ignores",
      ]
    ),
    ("in 'options', or in an entity of the model", ["responseKeyPath"]),
    (
      "in a relationship of the model",
      ["to", "toMany", "inverse", "deleteRule", "assignment", "stubs", "keyedBy"]
    ),
    ("in a response of 'responses'", ["body", "bodyFile", "bodyText", "status", "delay"]),
    ("in 'options', or in a response of 'responses'", ["headers"]),
    ("in a step of 'steps'", ["request", "fetch", "change"]),
    ("in a step that sends a request", ["urn", "method", "query", "json", "form"]),
    ("in a step, beside 'request', or at the top level of the scenario", ["options", "expect"]),
    ("in 'options' or in 'expect' of a step", ["drift"]),
    ("in 'options'", ["dryRun", "timeout", "inject", "prepopulate", "failOn", "hooks", "domain", "orphans"]),
    (
      "in 'expect'",
      [
        "graph", "records", "failure", "diagnostics", "inserted", "updated", "deleted", "unchanged",
        "requests", "more", "total",
      ]
    ),
    ("under an entity of 'graph', as in graph: {Post: {count: 2}}", ["count", "absent", "only"]),
  ]
}
