extension Rule {
  static let relationships = [
    Rule(
      "relationships.to-one", "A dictionary nested in an item becomes a record, and the to-one leads to it."),
    Rule(
      "relationships.to-many", .differs("An array within the array is taken for a key."),
      "Each dictionary of a nested array becomes a record and a member; arrays within arrays are flattened."),
    Rule(
      "relationships.key-reference",
      """
      A scalar, or an array of them, names records by key: stored ones, those of the response, or new stubs.
      For an abstract entity no stub is made, and an unknown key is left out with `no-entity`. Where the
      destination has no single attribute as key, or the scalar cannot be one, it is left out with
      `value-type`.
      """),
    Rule(
      "relationships.single-for-many", "One object, or one key, where a to-many is declared is a list of one."
    ),
    Rule(
      "relationships.many-for-one", .differs("Those without a key are created as well."),
      """
      Of an array where a to-one is declared the first usable item is linked, or is the parent if the to-one
      is the key, with the diagnostic `many-for-one`. The others become records too, if they have an identity; else they are left out. An
      empty array changes nothing.
      """),
    Rule(
      "relationships.union",
      """
      The members that a response brings are added to those that a to-many has; none is taken out, unless it
      replaces.
      """
    ),
    Rule(
      "relationships.replace", .new,
      """
      With `assignment: replace` a list that is there, be it empty or null, says all members, unless
      something in it was left out: then it only adds. A member that names its owner itself stays. What is
      taken out loses its link; it is deleted if it is keyed by this relationship, like an orphan. It stays,
      with `required-owner`, if it needs an owner and has no other, or would have too few; of several owners
      the oldest keep it.
      """),
    Rule(
      "relationships.ordered",
      """
      An ordered to-many keeps its members in the order in which they came. A member that comes again keeps its
      place; one that leaves and comes back stands last. With `assignment: replace` it takes the order of the
      response, in which repeats count where they stand first.
      """),
    Rule(
      "relationships.inverse",
      """
      Both sides of a relationship always agree, whichever of them the response mentions. Where a record can
      have one owner only, a new one takes it from the former.
      """),
    Rule(
      "relationships.conflict", .differs("Which one counts depends on chance."),
      """
      What a record says of its own to-one beats the list of another record that has it as a member; a null
      in the to-one does not, so that membership counts. If two records claim one that can have one owner
      only, or the two sides of a one-to-one name different partners, the last one met in the response
      counts, with `inconsistent-links`.
      """),
    Rule(
      "relationships.weak", .new,
      """
      With `stubs: never` a reference makes no record: it links what is stored, or what the rest of the
      response makes or brings, stubs included. Any other is left out with `missing-reference`.
      """),
    Rule(
      "relationships.self", .differs("A cycle makes a second record."),
      """
      An entity may be related to itself. However the items of a response lead back to each other, by
      nesting or by keys, each record is there once.
      """),
    Rule(
      "relationships.sub-entity",
      """
      A nested item chooses its sub-entity like one at the root. If it is a record of an entity that the
      relationship does not lead to, it is not linked, with `entity-mismatch`.
      """),
    Rule(
      "relationships.key-is-parent",
      "A relationship that is the key is set to the parent, whether the item mentions it or not."),
    planned(
      "relationships.foreign-key", .new,
      """
      Declared by an attribute that holds the key of the other side, a relationship links both as soon as
      both exist, also across responses, and makes no stubs.
      """),
    planned(
      "relationships.export", .new,
      "A record, or all that can be reached from it, is written as JSON under the names that it is read from."
    ),
  ]
}
