extension Rule {
  /// The rules in the order in which a response meets them, followed by requests, the cache, servers and customization.
  package static let groups: [RuleGroup] = [
    RuleGroup(name: "population", title: "the steps for one response", rules: population),
    RuleGroup(name: "model", title: "declarations of a model", rules: model),
    RuleGroup(name: "response", title: "from a response to items", rules: response),
    RuleGroup(name: "mapping", title: "finding values in an item", rules: mapping),
    RuleGroup(name: "values", title: "from a JSON value to the attribute's type", rules: values),
    RuleGroup(name: "identity", title: "identifying the record of an item", rules: identity),
    RuleGroup(name: "merge", title: "duplicates of a record", rules: merge),
    RuleGroup(name: "relationships", title: "linking records", rules: relationships),
    RuleGroup(name: "subentity", title: "choosing the entity of an item", rules: subentity),
    RuleGroup(name: "save", title: "from populated records to the store", rules: save),
    RuleGroup(name: "context", title: "records in the caller's context", rules: context),
    RuleGroup(name: "predicate", title: "evaluating predicates", rules: predicate),
    RuleGroup(name: "fetch", title: "fetching records", rules: fetch),
    RuleGroup(name: "orphans", title: "records that a response no longer has", rules: orphans),
    RuleGroup(name: "request", title: "requests to servers", rules: request),
    RuleGroup(name: "cache", title: "cached responses", rules: cache),
    RuleGroup(name: "diagnostics", title: "errors, warnings and logging", rules: diagnostics),
    RuleGroup(name: "dynamic", title: "storing whole dictionaries", rules: dynamic),
    RuleGroup(name: "serializer", title: "records from raw bytes", rules: serializer),
    RuleGroup(name: "jsonserver", title: "a server of local files", rules: jsonserver),
    RuleGroup(name: "httpserver", title: "a server over HTTP", rules: httpserver),
    RuleGroup(name: "tweaks", title: "changing the mapping of a running app", rules: tweaks),
    RuleGroup(name: "customize", title: "record types with custom population", rules: customize),
  ]

  /// The terms that the rules use.
  package static let words: [(word: String, meaning: String)] = [
    ("item", "an element of the response that becomes a record, at the root or nested in another item"),
    ("key", "the attributes, or the to-one relationship, that identify a record"),
    ("parent", "the record that a key relationship leads to"),
    ("owner", "a record whose relationship leads to another record"),
    ("stub", "an item that carries only its key: a scalar, or a dictionary with no other mapped property"),
    ("reference", "a stub nested in an item, which refers to a record by its key"),
    ("full item", "an item that is not a stub; a property whose value is null counts as present"),
    ("duplicates", "several full dictionaries of one record in one response"),
    ("effective dictionary", "the dictionary that populates a record after its duplicates are merged"),
    ("superseded dictionary", "a duplicate that is not effective"),
    ("mention", "a response mentions the records of all its items, nested and superseded ones included"),
    ("tombstone", "an item that marks its record as deleted"),
    ("orphan", "a stored record of the requested entity that the response does not mention"),
  ]
}
