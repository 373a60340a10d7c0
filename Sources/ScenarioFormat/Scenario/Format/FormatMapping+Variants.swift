import JSONTree
import RecordModel

/// The mappings with some of the keys of another one.
extension FormatMapping {
  // MARK: Models

  package static let modelFile = FormatMapping(
    "modelFile", of: model.subject, model.keys(without: ["file", "registered"]) + [.allows, .schemaVersion])

  /// A model file with an overlay, whose entities cannot declare anything new.
  static let modelOverlay = FormatMapping(
    "modelOverlay", of: "a model over a file",
    model.keys.filter { $0.name == "file" } + modelFile.keys(without: ["allows", "schemaVersion"])
  ).setting("entities", to: .entries(.mapping(entityOverlay), of: .any))

  static let registeredModel = FormatMapping(
    "registeredModel", of: "a registered model", model.keys.filter { $0.name == "registered" })

  private static let entityOverlay =
    entity.named("entityOverlay", without: declarationKeys)
    .setting(
      "attributes",
      to: .entries(.either([.choice(AttributeType.self), .mapping(attributeOverlay)]), of: .any)
    )
    .setting("relationships", to: .entries(.mapping(relationshipOverlay), of: .any))

  private static let attributeOverlay =
    attribute.named("attributeOverlay").setting("type", to: .choice(AttributeType.self))

  private static let relationshipOverlay = FormatMapping(
    "relationshipOverlay", of: relationship.subject, later: relationship.later,
    relationship.keys(without: destinationKeys))

  /// The keys of an entity that only the file with its declaration can set.
  static let declarationKeys = ["parent", "abstract"]
  /// The keys with the destination of a relationship.
  static let destinationKeys = ["to", "toMany"]

  // MARK: Responses

  static let recordedStatus = recorded("recordedStatus", of: "a recorded status")
  static let recordedHeader = recorded("recordedHeader", of: "a recorded header")

  private static func recorded(_ name: String, of subject: String) -> FormatMapping {
    FormatMapping(
      name, of: subject,
      [.required("at", .string(.pointer), "The part of `bodyFile` that contains the value.")])
  }

  /// The keys of a response's body.
  package static let responseBodies = ["body", "bodyFile", "bodyText"]
  /// The keys of the body that a step sends.
  static let sentBodies = ["json", "form"]
  /// The keys of the body that a request has.
  static let requestBodies = sentBodies + ["text", "data"]

  // MARK: Expectations

  static let expectationOfResponse = expectation.named("expectationOfResponse", without: storedKeys)
  static let expectationOfFetch = expectation.named("expectationOfFetch", without: storedKeys + responseKeys)
  static let expectationWithoutResult = expectation.named(
    "expectationWithoutResult", without: ["records"] + storedKeys + responseKeys)
  static let expectationOfAnyResponse =
    expectation.named("expectationOfAnyResponse", without: storedKeys)
    .setting("records", to: .expectedList(.label, labelList))

  /// The keys about the stored records of a `fetchFirst` step.
  static let storedKeys = ["stored"]
  /// The keys about the response of a step.
  static let responseKeys = ["more", "total", "perPage", "pageIndex", "metaData", "customResponse", "served"]

  static let labelList = recordList.named("labelList")
    .setting("anyOrder", to: .labels).setting("contains", to: .labels)

  /// The kinds of values in a report of drift.
  static let driftKinds = JSONKind.allCases.filter { $0 != .null }.map(\.rawValue)

  // MARK: Tweaks

  /// An entity in a tweak file. `ModelTweaks` reads it.
  static let entityTweak = FormatMapping(
    "entityTweak", of: "an entity",
    [
      .optional("primaryKey", .optional(.names), "The new primary key; null for no key."),
      .optional(
        "responseKeyPath", .optional(.string(.path)), "The new position of the items; null for no key path."),
      .optional(
        "properties", .entries(.mapping(propertyTweak), of: .any), "The new key paths of properties."),
    ])

  private static let propertyTweak = FormatMapping(
    "propertyTweak", of: "a property",
    [
      .optional(
        "instead", tweakPaths, "The key paths replace those of the model and the property's own name."),
      .optional("before", tweakPaths, "The key paths are tried before those of the model."),
    ], conditions: [.exactlyOne(["instead", "before"])])

  private static let tweakPaths = FormatValue.either([.string(.path), .list(.string(.path))])

  // MARK: Settings

  /// The contents of `.recordspec.yaml`.
  package static let settings = FormatMapping(
    "settings", of: "the settings",
    [
      .optional("allowOutside", .strings, "The folders outside the project whose files scenarios may name."),
      .optional("golden", .string, "The folder of golden files, below the project folder."),
      .optional("store", .choice(StoreKind.self), "The store to run on."),
      .optional("jobs", .atLeastOne, "The number of scenarios that run at the same time."),
      .optional("color", .choice(ColorChoice.self), "The color of the output."),
      .optional("verbose", .boolean, "List passing scenarios too, and all differences of failing scenarios."),
      .optional("explain", .boolean, "Explain where different values come from."),
      .optional("keep", .string, "The folder for the results of failed scenarios, below the project folder."),
      .optional("maxFailures", .atLeastOne, "The number of failed scenarios that ends the run."),
      .optional("repeat", .atLeastOne, "The number of times that each scenario is run."),
      .optional("shuffle", .count, "The seed of the order of the scenarios."),
      .optional("timeout", .duration, "The time after which a scenario is given up."),
      .optional("durations", .atLeastOne, "The number of slow scenarios to list."),
      .optional("timings", .strings, "The JSON reports whose durations balance the shards."),
      .optional(
        "reports", .entries(.string, of: .words(ReportFormat.allCases.map(\.rawValue))),
        "The reports to write: the file of each format, below the project folder."),
      .optional("details", .boolean, "Add the details of scenarios to JSON reports, for HTML reports."),
      .optional("strict", .boolean, "Treat warnings of `recordspec check` as errors."),
      .optional(
        "adapters", .entries(.mapping(.adapter), of: .any),
        "The adapters of apps, by the names that `--adapter` uses."),
    ])

  static let adapter = FormatMapping(
    "adapter", of: "an adapter",
    [
      .required(
        "command", .list(.string, isEmptyAllowed: false),
        "The program that connects to `recordspec`, and its arguments. It runs in the folder of this file."),
      .optional("timeout", .duration, default: "`10s`", "The time in which each message must be answered."),
    ])
}

extension FormatValue {
  static let memberCount = FormatValue.integer(0...Int(Int32.max))
  package static let pageCount = FormatValue.either([.atLeastOne, .word(["all"])])
  package static let sort = FormatValue.either([.string(.sortKey), .list(.string(.sortKey))])
  package static let seeds = FormatValue.entries(.list(.properties), of: .any)
  package static let paging = FormatValue.either([
    .word(["none", "linkHeader", "offset", "pageNumber"]), .mapping(.pagingRule),
  ])
  /// A step: a mapping, or the name of an action without details.
  package static let step = FormatValue.either([.chosen(FormatMapping.steps), .string(.bareStep)])
  /// A record, by its label or by its properties.
  package static let member = FormatValue.either([.label, .properties])
  static let expectedRequest = FormatValue.either([.string(.address), .mapping(.expectedRequest)])

  static func expectedList(_ element: FormatValue, _ mapping: FormatMapping) -> FormatValue {
    .either([.list(element), .mapping(mapping)])
  }
}
