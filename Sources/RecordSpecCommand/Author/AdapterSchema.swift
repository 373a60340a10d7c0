import JSONTree

/// The JSON Schema (draft-07) of the lines between `recordspec` and an adapter.
enum AdapterSchema {
  static let value: JSONValue = [
    "$schema": "http://json-schema.org/draft-07/schema#", "title": "RecordSpec adapter protocol 1",
    "description":
      "A line from recordspec to an adapter, or the line with its answer. Each line is one JSON object in UTF-8.",
    "anyOf": [["$ref": "#/definitions/message"], ["$ref": "#/definitions/answer"]],
    "definitions": [
      "message": [
        "description": "A message to the adapter. The next line of the adapter must be its answer.",
        "oneOf": .array([
          message("hello", ["protocol": ["const": 1]], "The first message."),
          message(
            "open",
            [
              "scenario": text("The name of the scenario."),
              "baseURL": text("The base URL of the scenario's server, which ends with a slash."),
              "now": time, "folder": text("An empty folder for the files of the store."),
            ], "Creates the app with an empty store."),
          message(
            "call", ["name": text("The action.")],
            "Performs an action, and returns when the store is settled.",
            optional: ["with": ["description": "The arguments of the action, as the scenario states them."]]),
          message("reopen", [:], "Ends the app and creates it again on the same folder and base URL."),
          message("advance", ["now": time], "Moves the clock of the app."),
          message("dump", [:], "Returns all rows of the store."),
          message("close", [:], "Ends the app. Another 'open' can follow."),
        ]),
      ],
      "answer": [
        "description": "The answer of the adapter to the message with the same number.",
        "anyOf": .array([
          answer(
            "To 'hello'.",
            [
              "protocol": ["const": 1], "actions": texts("The names of all actions."),
            ],
            optional: [
              "token": text("The value of RECORDSPEC_TOKEN, which is required if it is set."),
              "name": text("The name of the adapter."), "version": text("The version of the app."),
              "supports": [
                "type": "array", "items": ["enum": ["reopen", "advance"]],
                "description": "The messages that the adapter supports besides the required ones.",
              ],
            ]),
          answer(
            "To 'open', 'call', 'reopen', 'advance' and 'close': the adapter has done it.",
            ["ok": ["const": true]]),
          answer("To 'call': the action of the app has failed.", ["failure": text("The error, for people.")]),
          answer(
            "To 'dump': the rows of each table.",
            [
              "tables": [
                "type": "object",
                "additionalProperties": ["type": "array", "items": ["type": "object"]],
              ]
            ]),
          answer(
            "To 'dump': the store is an SQLite file.", ["sqlite": text("The full path of the file.")]),
          answer(
            "To any message: the adapter itself has failed, so the result is unknown.",
            ["error": text("The error, for people.")]),
        ]),
      ],
    ],
  ]

  private static let time: JSONValue = text("The time of the scenario's clock, such as 2000-01-01T00:00:00Z.")

  private static func text(_ description: String) -> JSONValue {
    ["type": "string", "description": .string(description)]
  }

  private static func texts(_ description: String) -> JSONValue {
    ["type": "array", "items": ["type": "string"], "description": .string(description)]
  }

  private static func message(
    _ command: String, _ members: JSONObject, _ description: String, optional: JSONObject = [:]
  ) -> JSONValue {
    object(
      joined(["seq": number, "cmd": ["const": .string(command)]], members), optional,
      description: description)
  }

  private static func answer(
    _ description: String, _ members: JSONObject, optional: JSONObject = [:]
  ) -> JSONValue {
    // Later versions may add members to answers.
    object(
      joined(["seq": number], members), optional, description: description, isOpen: true)
  }

  private static let number: JSONValue = [
    "type": "integer", "minimum": 1, "description": "The number of the message.",
  ]

  private static func joined(_ first: JSONObject, _ second: JSONObject) -> JSONObject {
    var joined = first
    joined.merge(second)
    return joined
  }

  private static func object(
    _ required: JSONObject, _ optional: JSONObject, description: String, isOpen: Bool = false
  ) -> JSONValue {
    [
      "type": "object", "description": .string(description),
      "properties": .object(joined(required, optional)),
      "required": .array(required.keys.map { .string($0) }), "additionalProperties": .boolean(isOpen),
    ]
  }
}
