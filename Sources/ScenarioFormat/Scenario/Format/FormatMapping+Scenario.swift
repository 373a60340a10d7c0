import JSONTree
import RecordModel

/// The top level of scenario files.
extension FormatMapping {
  package static let scenario = FormatMapping(
    "scenario", of: "a scenario",
    [
      .schemaVersion,
      .required("title", .string, "A sentence that states what the scenario tests. Reports show it."),
      .optional(
        "covers", .list(.known(.rule)),
        """
        The rules of the engine that the scenario proves. `recordspec rules` lists them. An unknown id \
        makes the scenario invalid.
        """),
      .optional("tags", .strings, "Your own keywords, which select scenarios with `--tag`."),
      .allows,
      .optional("skip", .string, "The reason for skipping the scenario."),
      .optional("xfail", .mapping(.expectedFailure), "Marks a known failure."),
      .optional(
        "model",
        .either([.string(.modelFile), .chosen([.registeredModel, .modelOverlay], otherwise: .model)]),
        "The entities. Either `model` or `tables` is required."),
      .optional(
        "tables", FormatMapping.tables,
        "The tables of an app's own store, for a scenario that runs the app and not the engine."),
      .optional(
        "customize", .entries(.mapping(.customization), of: .any), "Mappings that a model cannot express."),
      .optional(
        "baseURL", .string(.url), default: "`https://api.test/`", "The URL to which addresses are relative."),
      .optional(
        "servers", .entries(.either([.string(.url), .none]), of: .any),
        "Another server for an entity, or no server."),
      .optional(
        "sessionTimeout", .word(["fail", "restart"]), default: "`fail`",
        "The reaction to a response with `error: session-timeout`."),
      .optional("paging", .paging, default: "one page", "The server's way of paging."),
      .optional("cache", .mapping(.cache), default: "64 MiB, 30 days", "The limits of the record cache."),
      .optional(
        "now", .string(.time), default: "`2000-01-01T00:00:00Z`", "The start time of the scenario's clock."),
      .optional("store", .seeds, default: "no records", "The records that exist before the first step."),
      .optional(
        "responses",
        .entries(
          .either([.mapping(.response), .list(.mapping(.response), isEmptyAllowed: false)]), of: .any),
        "The responses of the server."),
      .optional(
        "defaults", .entries(.mapping(.options), of: .any),
        "The options of an entity's requests that have no other options."),
      .optional("options", .mapping(.options), "The options of all requests."),
      .required("steps", .list(.step, isEmptyAllowed: false), "The actions of the app, in order."),
      .optional("expect", .mapping(.expectation), "The expectations after the last step."),
    ], conditions: [.exactlyOne(["model", "tables"])])

  package static let expectedFailure = FormatMapping(
    "expectedFailure", of: "an expected failure",
    [
      .required("reason", .string, "The reason for the failure."),
      .optional("issue", .text, "The issue that tracks the failure."),
      .optional(
        "until", .string(.day), default: "no end", "From this day on, in UTC, the failure fails the run."),
      .optional(
        "adapters", .strings, default: "every run",
        "The adapters on which the scenario fails. On others, it must pass."),
    ])

  package static let cache = FormatMapping(
    "cacheLimits", of: "the cache",
    [
      .optional(
        "maximumSize", .count, default: "64 MiB",
        "The maximum size of all responses: bodies, headers, addresses, and 128 bytes for each response."),
      .optional(
        "maximumAge", .duration, default: "`30d`",
        "The maximum age of a response, regardless of its headers."),
    ])
}

extension FormatKey {
  static let allows = FormatKey.optional(
    "allows", .entries(.either([.string, .entries(.string, of: .any)]), of: .words(WarningCodes.allowed)),
    "The warnings of `recordspec check` that are intended, each with the reason.")

  /// The version of the format of scenarios and models, as `schemaVersion:` names it.
  package static let supportedSchemaVersion = 1

  static let schemaVersion = FormatKey.optional(
    "schemaVersion", .version, default: "`\(supportedSchemaVersion)`", "The version of the format.")
}
