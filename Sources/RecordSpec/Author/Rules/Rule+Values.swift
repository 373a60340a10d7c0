extension Rule {
  static let values = [
    Rule(
      "values.integer",
      .differs("It cuts strings to 32 bits, and takes strings that are no number for 0."),
      """
      int16, int32 and int64 take numbers without a fraction (`7`, `7.0`, `70e-1`), strings that are an
      integer and nothing else, and booleans as 1 and 0. What is out of range or has a fraction is left out
      with `value-type`; so is, for all types, whatever they do not take, and the record keeps what it had.
      """),
    Rule(
      "values.float", .differs("A string raises an exception."),
      """
      A float takes numbers, strings that are a number, and booleans as 1 and 0, rounded once to single
      precision. A number too large for it is left out.
      """),
    Rule(
      "values.double", .differs("A string raises an exception."),
      """
      A double takes numbers, strings that are a number, and booleans as 1 and 0. A number too large for it
      is left out.
      """
    ),
    Rule(
      "values.decimal", .differs("The number is what the JSON parser made of it, a double as a rule."),
      """
      A decimal takes numbers and strings that are a number, exactly, from the digits as they are written.
      More than 38 digits are left out rather than rounded.
      """),
    Rule(
      "values.boolean",
      .differs(
        "The first character of a string decides: y, t and the digits from 1 are true, all others false."),
      """
      A boolean takes true and false, numbers (0 is false), and the strings y, yes, t, true, 1, n, no, f,
      false and 0 in upper or lower case. No other string is one.
      """),
    Rule(
      "values.string", .differs("An array or a dictionary raises an exception."),
      """
      A string takes strings, integers as they are written, other numbers in their shortest decimal form
      (`1.50` is `1.5`), and booleans as `1` and `0`. Arrays and dictionaries are left out.
      """),
    Rule(
      "values.date.unix", .differs("The fraction is cut off."),
      "A number for a date is seconds since 1970-01-01T00:00:00Z, with its fraction."),
    Rule(
      "values.date.format", .differs("One date formatter reads all dates of a record class."),
      """
      A string for a date is read with the format of the attribute, else of its entity, of an ancestor, of
      the model: a Unicode date pattern, in English and in UTC unless the string names a zone, or `iso8601`.
      All of the string must be the date.
      """),
    Rule(
      "values.date.no-format", .differs("It is left out without a word."),
      "A string for a date that has no format anywhere is left out with the diagnostic `value-type`."),
    Rule(
      "values.binary", .differs("The text is handed on as it is, which raises an exception."),
      "Binary data is read from base64 text with padding; line breaks in it are skipped."),
    Rule(
      "values.uuid", .new,
      "A UUID is read from its text of 36 characters, in upper or lower case."),
    Rule("values.uri", .new, "A URI is read from text that is one as it stands; an empty text is none."),
    Rule(
      "values.transformable",
      .differs("The transformer is a class, and what it makes can be any object."),
      """
      The value transformer that the model names makes the value, from JSON to JSON, so that it can be
      stored and compared. Without one, or if none is registered under the name, the JSON value is kept as
      it is. If the transformer throws, the value is left out with `value-type`.
      """),
    Rule(
      "values.default", "A new record starts with the defaults of its attributes, except those of its key."),
  ]
}
