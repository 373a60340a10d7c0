extension Rule {
  static let relationships = [
    Rule(
      "relationships.to-one",
      """
      If an item contains a dictionary for a to-one, the dictionary becomes a record, and the to-one is set to
      this record.
      """),
    Rule(
      "relationships.to-many", .differs("It treats an array within the array as a key."),
      """
      Each dictionary in a nested array becomes a record and a member of the to-many. Arrays within arrays are
      flattened.
      """),
    Rule(
      "relationships.key-reference",
      """
      A scalar, or each scalar in an array, refers to a record by its key. If the record is neither stored nor in
      the response, a stub is created. An abstract entity gets no stub: a key without a record is skipped, with
      the diagnostic `no-entity`. If the destination's key is not a single attribute, or the scalar cannot be that
      key, the scalar is skipped, with the diagnostic `value-type`.
      """),
    Rule(
      "relationships.single-for-many",
      "A single object or key in place of a to-many's list counts as a list of one."),
    Rule(
      "relationships.many-for-one", .differs("Elements without a key become records too."),
      """
      If an item has an array for a to-one, the first usable element is linked, or is the parent if the to-one is
      the key. Unless this element is the only one, the engine reports `many-for-one`. Other elements with a key
      or a parent become records too, and the rest are skipped. An empty array changes nothing.
      """),
    Rule(
      "relationships.union",
      """
      By default, the members in a response are added to those of a to-many. Members are removed only by a list
      with `assignment: replace`.
      """),
    Rule(
      "relationships.replace", .new,
      """
      With `assignment: replace`, a list in the response is complete, even if it is empty or null. It only adds
      members if an element is skipped, or if an earlier page of the run has the list or came from the cache. A
      member that is not in the list stays if its own item refers to the owner. Otherwise it is unlinked, or
      deleted like an orphan if its key is the relationship to the owner. If a member would then have fewer owners
      than it requires, it stays with all of them, with the diagnostic `required-owner`.
      """),
    Rule(
      "relationships.ordered",
      """
      An ordered to-many keeps its members in the order in which they were added. A member that is added again
      keeps its position; one that is removed and then added moves to the end. With `assignment: replace`, the
      list takes the order of the response, with repeated members at their first position.
      """),
    Rule(
      "relationships.inverse",
      """
      Both sides of a relationship always agree, whichever side the response mentions. If a record that can have
      only one owner gets a new owner, it is unlinked from the former one.
      """),
    Rule(
      "relationships.conflict", .differs("Which statement wins depends on chance."),
      """
      If a record's own item has a to-one, this overrides another record's list that contains the record, unless
      the to-one is null. If two owners link a record that can have only one, or the two sides of a one-to-one
      disagree, the last statement wins. In these two cases, the engine reports `inconsistent-links`.
      """),
    Rule(
      "relationships.weak", .new,
      """
      With `stubs: never`, a reference creates no record. It links a record that is stored or that another item of
      the response creates, even as a stub. Any other reference is skipped, with the diagnostic
      `missing-reference`.
      """),
    Rule(
      "relationships.self", .differs("A cycle creates a second record."),
      """
      An entity may be related to itself. If the items of a response refer to each other in a cycle, by nesting or
      by keys, each record still exists once.
      """),
    Rule(
      "relationships.sub-entity",
      """
      The sub-entity of a nested item is chosen in the same way as for an item of the list. If the relationship
      cannot lead to the record's entity, the record is not linked, and the engine reports `entity-mismatch`.
      """),
    Rule(
      "relationships.key-is-parent",
      "A relationship that is the key is set to the parent, whether or not the item mentions it."),
    planned(
      "relationships.foreign-key", .new,
      """
      A relationship may be declared by an attribute that holds the key of the record at the other end. Both
      records are linked as soon as both exist, even if they come from different responses. The attribute creates
      no stubs.
      """),
    planned(
      "relationships.export", .new,
      "A record, or every record that it leads to, is written as JSON under the names from which it is read."),
  ]
}
