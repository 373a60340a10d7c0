extension Rule {
  static let tweaks = [
    Rule(
      "tweaks.key", .differs("It stores the tweaked key, but each record type has to apply it."),
      """
      A tweak changes the key of an entity at run time: to one attribute, several attributes, a relationship, or
      no key. The model and the store stay unchanged. Stored records are found by the tweaked key.
      """),
    Rule(
      "tweaks.response-key-path",
      .differs("It stores the tweaked key path, but each record type has to apply it."),
      "A tweak changes the response key path of an entity, unless the request has its own."),
    Rule(
      "tweaks.property", .differs("One switch for all properties decides whether the other paths are tried."),
      """
      A tweak changes the key paths of a property. The paths of the tweak replace the model's paths and the
      property's name, or precede them.
      """),
    Rule(
      "tweaks.file", .differs("Tweaks are set in a list on screen and stored in the app's settings."),
      """
      Tweaks are read from a file at the start of each request. An invalid file fails the request with
      `invalid-tweaks` before anything is sent. The engine can write a file with every value that can be tweaked.
      """),
  ]
}
