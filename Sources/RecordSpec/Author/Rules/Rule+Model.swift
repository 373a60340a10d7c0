extension Rule {
  static let model = [
    Rule(
      "model.class-name",
      .differs("A relationship to an entity without a class of its own is not populated."),
      """
      An entity is bound to the record type that has the last part of its class name: `Shop.Order`, `.Order`
      and `Order` all mean `Order`. Without a class name its own name counts. If no such type is registered,
      its records are plain ones.
      """),
    Rule(
      "model.inheritance", .differs("The key is not inherited."),
      """
      A sub-entity has the attributes and relationships of its ancestors. Its key, response key path, date
      format, null policy, merge strategy and modification attribute are its own, or those of the nearest
      ancestor that declares one. A key may name an inherited property. A relationship without inverse is
      legal, with a warning.
      """),
    Rule(
      "model.optional-count",
      """
      The least count of an optional to-many binds once it has a member: empty is valid, too few is not. A
      required to-many needs a member in any case.
      """),
  ]
}
