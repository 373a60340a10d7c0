extension Rule {
  static let model = [
    Rule(
      "model.class-name", .differs("It does not populate a relationship to an entity without a class."),
      """
      An entity uses the registered record type whose name is the last component of its class name: `Shop.Order`,
      `.Order` and `Order` all mean `Order`. An entity without a class name uses its own name. If no such type is
      registered, its records are plain `Record` objects.
      """),
    Rule(
      "model.inheritance", .differs("A sub-entity does not inherit the key."),
      """
      A sub-entity has the attributes and relationships of its ancestors. It inherits their key, response key
      path, date format, null policy, merge strategy and modification attribute, unless it declares its own. A key
      may name an inherited property. A relationship without an inverse is valid but causes a warning.
      """),
    Rule(
      "model.optional-count",
      """
      The minimum count of an optional to-many applies only if it has a member: an empty to-many is valid, one
      with too few members is not. A required to-many always needs at least one member.
      """),
  ]
}
