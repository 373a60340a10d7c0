extension Rule {
  static let values = [
    Rule(
      "values.integer",
      .differs("It truncates strings to 32 bits and reads strings that are not numbers as 0."),
      """
      int16, int32 and int64 accept numbers without a fraction (`7`, `7.0`, `70e-1`), strings that contain only an
      integer, and booleans as 1 and 0. Numbers that are out of range or have a fraction are skipped. For a
      skipped value of any type, the record keeps its value, and the engine reports `value-type`.
      """),
    Rule(
      "values.float", .differs("A string raises an exception."),
      """
      A float accepts numbers, strings that are a number, and booleans as 1 and 0, rounded once to single
      precision. A number too large for it is skipped.
      """),
    Rule(
      "values.double", .differs("A string raises an exception."),
      """
      A double accepts numbers, strings that are a number, and booleans as 1 and 0. A number too large for it is
      skipped.
      """),
    Rule(
      "values.decimal", .differs("The number is the one that the JSON parser returns, usually a double."),
      """
      A decimal accepts numbers and strings that are a number, with exactly the digits as written. A number with
      more than 38 digits is skipped rather than rounded.
      """),
    Rule(
      "values.boolean",
      .differs(
        "The first character of a string decides: y, t and the digits from 1 are true, all others false."),
      """
      A boolean accepts true, false and numbers (0 is false). It also accepts the strings y, yes, t, true and 1,
      and n, no, f, false and 0, in upper or lower case. Any other string is skipped.
      """),
    Rule(
      "values.string", .differs("An array or a dictionary raises an exception."),
      """
      A string accepts strings, integers as written, other numbers in their shortest decimal form (`1.50` becomes
      `1.5`), and booleans as `1` and `0`. Arrays and dictionaries are skipped.
      """),
    Rule(
      "values.date.unix", .differs("The fraction is truncated."),
      """
      A number for a date is the number of seconds since 1970-01-01T00:00:00Z, including a fraction, or of
      milliseconds if the format is `unix-milliseconds`. The formats `unix` and `unix-milliseconds` also read
      numbers in strings.
      """),
    Rule(
      "values.date.format", .differs("One date formatter reads all dates of a record class."),
      """
      A string for a date is read with the format of the attribute, or else of its entity, the nearest ancestor or
      the model. A format is `iso8601`, `unix`, `unix-milliseconds` or a Unicode date pattern with English names. It can list
      several formats, separated by `|`; the first one that reads the string counts. A string without a time
      zone is in UTC, or in the zone after the format, as in `yyyy-MM-dd HH:mm[Europe/Berlin]`. The whole string
      must be the date.
      """),
    Rule(
      "values.date.no-format", .differs("The string is skipped without a message."),
      "A string for a date without any format is skipped, with the diagnostic `value-type`."),
    Rule(
      "values.binary", .differs("The string is passed on unchanged, which raises an exception."),
      "Binary data is read from a base64 string with padding; line breaks in the string are ignored."),
    Rule("values.uuid", .new, "A UUID is read from a string of 36 characters, in upper or lower case."),
    Rule(
      "values.uri", .new,
      """
      A URI is read only from a string that is already a valid URI. The engine does not correct the string. An
      empty string is skipped.
      """),
    Rule(
      "values.transformable", .differs("The transformer is a class and may return any object."),
      """
      The value transformer that the model declares converts a JSON value to another JSON value, which is stored
      and can be compared. If there is no transformer, or none is registered under its name, the JSON value is
      stored unchanged. If the transformer throws, the value is skipped, with the diagnostic `value-type`.
      """),
    Rule(
      "values.default", "A new record starts with the defaults of its attributes, except those of its key."),
  ]
}
