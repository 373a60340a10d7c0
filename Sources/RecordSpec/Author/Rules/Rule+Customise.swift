extension Rule {
  static let customise = [
    Rule(
      "customise.representation",
      .differs("It is asked while items are read, and what it answers is not checked."),
      """
      An entity or its record type may bring names, key paths, response key path, date format and key of its
      own, which go over the model's and are checked like it, once. A property may be left without a path. A
      key may be computed from the item; where nothing comes of that, its paths are asked. Sub-entities without
      their own share the nearest ancestor's.
      """),
    Rule(
      "customise.value",
      """
      A marshaler may convert single values by itself, wherever values of its entity are converted: keys and
      duplicates that are compared too. What it has nothing for, or what the attribute cannot hold, is left out
      with `value-type`.
      """),
    Rule(
      "customise.attribute",
      """
      A marshaler may decide what each attribute becomes that does not identify the record, with the whole item
      at hand, whether the item mentions the attribute or not: another value of the item, a value of its own,
      none, or what it was. Stubs are not asked about.
      """),
    Rule(
      "customise.relationship", .differs("It is asked link by link, and not where the item has none."),
      """
      A marshaler may decide what each relationship becomes, whether the item mentions it or not: it may leave
      it, drop links, empty it, or say that the links are all there is. The relationship that is the record's
      key is not its matter. Records that are not linked after all are made nevertheless.
      """),
    Rule(
      "customise.relationship-key",
      """
      Where a stored parent has children and an item is keyed by it, a marshaler may say which child the item
      is, or that it is a new one.
      """),
    Rule(
      "customise.merge", .differs("It is asked about stubs as well."),
      """
      A marshaler may merge two full dictionaries of one record of its entity: the first or the other counts, or
      a dictionary that it makes of both. Then no disagreement of the two is told. Items nested in a dictionary
      that was made say what is linked; what they are is settled where they stand in the response. A strategy or
      a hook of the request goes first.
      """),
    Rule(
      "customise.around",
      """
      A marshaler may read and change a record before its attributes are set, which the response may overwrite,
      and after the relationships of all records are set. What changes then is told with the record's changes.
      """),
  ]
}
