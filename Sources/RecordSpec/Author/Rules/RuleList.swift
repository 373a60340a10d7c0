extension Rule {
  /// The rules in the order in which a response meets them, then what is around.
  public static let groups: [RuleGroup] = [
    RuleGroup(name: "population", title: "the order of work for one response", rules: population),
    RuleGroup(name: "model", title: "what a model may say", rules: model),
    RuleGroup(name: "response", title: "from a response to items", rules: response),
    RuleGroup(name: "mapping", title: "finding values in an item", rules: mapping),
    RuleGroup(name: "values", title: "from a JSON value to the attribute's type", rules: values),
    RuleGroup(name: "identity", title: "which record an item is", rules: identity),
    RuleGroup(name: "merge", title: "several items of one record", rules: merge),
    RuleGroup(name: "relationships", title: "how records are linked", rules: relationships),
    RuleGroup(name: "subentity", title: "which entity an item is of", rules: subentity),
    RuleGroup(name: "save", title: "from what was populated to the store", rules: save),
    RuleGroup(name: "context", title: "what a caller's context sees", rules: context),
    RuleGroup(name: "predicate", title: "what a predicate holds for", rules: predicate),
    RuleGroup(name: "fetch", title: "records that are asked for", rules: fetch),
    RuleGroup(name: "orphans", title: "records that a response no longer has", rules: orphans),
    RuleGroup(name: "request", title: "asking servers", rules: request),
    RuleGroup(name: "cache", title: "answering without asking", rules: cache),
    RuleGroup(name: "diagnostics", title: "what is told when something is wrong", rules: diagnostics),
    RuleGroup(name: "dynamic", title: "keeping whole dictionaries", rules: dynamic),
    RuleGroup(name: "serializer", title: "raw bytes as records", rules: serializer),
    RuleGroup(name: "jsonserver", title: "a server of local files", rules: jsonserver),
    RuleGroup(name: "httpserver", title: "a server over HTTP", rules: httpserver),
    RuleGroup(name: "tweaks", title: "changing the mapping of a running app", rules: tweaks),
    RuleGroup(name: "customise", title: "record types with a population of their own", rules: customise),
  ]

  /// The words that the rules are said in.
  public static let words: [(word: String, meaning: String)] = [
    ("item", "an element of the response's array, or an object nested in one"),
    ("key", "what identifies a record: one attribute, several, or a to-one relationship"),
    ("stub", "an item without any mapped property but its key: a scalar, or a dictionary of the key alone"),
    ("full", "what is no stub; a null counts as a property that is there"),
  ]
}
