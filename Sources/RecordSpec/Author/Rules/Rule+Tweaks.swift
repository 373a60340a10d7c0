extension Rule {
  static let tweaks = [
    Rule(
      "tweaks.key", .differs("It keeps the tweaked key, and leaves it to record types to go by it."),
      """
      The key of an entity can be another one at run time, one attribute, several or a relationship, or none,
      while the model and the store stay as they are. What is stored is found by it.
      """),
    Rule(
      "tweaks.response-key-path",
      .differs("It keeps the tweaked key path, and leaves it to record types to go by it."),
      "So can the response key path of an entity, unless a request has one of its own."),
    Rule(
      "tweaks.property", .differs("One switch says for all properties whether others are asked as well."),
      "So can the key paths of a property, in place of the others and of its name, or in front of them."),
    Rule(
      "tweaks.file", .differs("Tweaks are set in a list on the screen, and kept with the app's settings."),
      """
      A file says so; it is read again when a request starts. One that is wrong fails the request before
      anything is sent. One with all that can be said can be written.
      """
    ),
  ]
}
