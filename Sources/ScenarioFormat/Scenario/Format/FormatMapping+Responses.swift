import JSONTree
import RecordModel

/// The responses of the server.
extension FormatMapping {
  package static let response = FormatMapping(
    "response", of: "a response",
    [
      .optional("body", .json, default: "empty", "The body. It is served as JSON."),
      .optional("bodyFile", .string, "The file that contains the body. It is served unchanged."),
      .optional("at", .string(.pointer), default: "the whole file", "The part of `bodyFile` that is served."),
      .optional("bodyText", .string(.anything), "The body as text, for an empty or invalid body."),
      .optional(
        "status", .either([.integer(100...599), .mapping(.recordedStatus)]), default: "`200`",
        "The HTTP status, or `{at: …}` with the JSON pointer to a number in `bodyFile`."),
      .optional(
        "headers", .entries(.either([.text, .mapping(.recordedHeader)]), of: .header),
        """
        The headers. A value is text, or `{at: …}` with the JSON pointer to a string, number or \
        Boolean in `bodyFile`.
        """),
      .optional("delay", .duration, "The time until the response arrives, by the scenario's clock."),
      .optional("error", .choice(ServerFailure.self), "The error with which the request fails."),
      .optional(
        "when", .mapping(.requestCondition), default: "any request",
        "The headers and the body that a request must have."),
      .optional(
        "repeat", .boolean, default: "`false`", "If `true`, the response is served any number of times."),
      .optional("optional", .boolean, default: "`false`", "If `true`, the response may remain unrequested."),
    ],
    conditions: [
      .atMostOne(responseBodies), .atLeastOne(responseBodies + ["status", "error"]),
      .requires("at", "bodyFile"),
    ] + (responseBodies + ["status", "headers"]).map { .atMostOne(["error", $0]) })

  static let requestCondition = FormatMapping(
    "requestCondition", of: "a condition",
    [
      .optional(
        "headers", .headers, default: "any headers",
        "The headers that the request must have. It may have more. Names are case-insensitive."),
      .optional(
        "json", .json, default: "any body",
        """
        The JSON body that the request must have. The order of keys does not matter, and numbers are \
        compared by their values.
        """),
      .optional("form", .texts, default: "any body", "The fields of the form that the request must have."),
      .optional(
        "text", .string, default: "any body", "The body that the request must have, if it is other text."),
      .optional("data", .string, default: "any body", "The body that the request must have, in Base64."),
    ], conditions: [.atLeastOne(["headers"] + requestBodies), .atMostOne(requestBodies)])
}
