extension Rule {
  /// The rules in the order in which a response meets them, then what is around.
  public static let groups: [RuleGroup] = [
    RuleGroup(name: "population", title: "the order of work for one response", rules: population),
    RuleGroup(name: "model", title: "what a model may say", rules: model),
    RuleGroup(name: "response", title: "from a response to items", rules: response),
    RuleGroup(name: "mapping", title: "finding values in an item", rules: mapping),
    RuleGroup(name: "values", title: "from a JSON value to the attribute's type", rules: values),
    RuleGroup(name: "identity", title: "which record an item is", rules: identity),
    RuleGroup(name: "merge", title: "several items of one record", rules: merge),
    RuleGroup(name: "relationships", title: "how records are linked", rules: relationships),
    RuleGroup(name: "subentity", title: "which entity an item is of", rules: subentity),
    RuleGroup(name: "save", title: "from what was populated to the store", rules: save),
    RuleGroup(name: "context", title: "what a caller's context sees", rules: context),
    RuleGroup(name: "predicate", title: "what a predicate holds for", rules: predicate),
    RuleGroup(name: "fetch", title: "records that are asked for", rules: fetch),
    RuleGroup(name: "orphans", title: "records that a response no longer has", rules: orphans),
    RuleGroup(name: "request", title: "asking servers", rules: request),
    RuleGroup(name: "cache", title: "answering without asking", rules: cache),
    RuleGroup(name: "diagnostics", title: "what is told when something is wrong", rules: diagnostics),
    RuleGroup(name: "dynamic", title: "keeping whole dictionaries", rules: dynamic),
    RuleGroup(name: "serializer", title: "raw bytes as records", rules: serializer),
    RuleGroup(name: "jsonserver", title: "a server of local files", rules: jsonserver),
    RuleGroup(name: "httpserver", title: "a server over HTTP", rules: httpserver),
    RuleGroup(name: "tweaks", title: "changing the mapping of a running app", rules: tweaks),
    RuleGroup(name: "customise", title: "record types with a population of their own", rules: customise),
  ]

  /// The words that the rules are said in.
  public static let words: [(word: String, meaning: String)] = [
    ("item", "an element of the response's array, or an object nested in one"),
    ("key", "what identifies a record: one attribute, several, or a to-one relationship"),
    ("stub", "an item without any mapped property but its key: a scalar, or a dictionary of the key alone"),
    ("full", "what is no stub; a null counts as a property that is there"),
  ]

  // MARK: - population

  private static let population = [
    Rule(
      "population.items",
      """
      The response becomes a list of items, by the rules of the group `response`. Nothing else of the
      response is looked at.
      """),
    Rule(
      "population.protos",
      .differs("It walks dictionaries and sets, so that the order changes from run to run."),
      """
      Items are met in the order of the response. Each one is known as its record from the moment it is met;
      then the items nested in it are met, relationship by relationship in the model's order, down to the
      innermost.
      """),
    Rule(
      "population.effective", .differs("It settles duplicates while it is still meeting items."),
      """
      Once all items are met, each record ends with the one dictionary that counts for it, by the rules of
      the group `merge`. What only the other dictionaries speak of becomes no record.
      """),
    Rule(
      "population.fetch",
      """
      The store is asked once for each entity that declares a key, for all keys of the response together;
      sub-entities share the look-up of the entity whose key they have. It is never asked record by record.
      """),
    Rule(
      "population.associate",
      """
      Items keyed by their parent are tied to what the stored parent has already, parents before their
      children. This comes after all fetches.
      """),
    Rule(
      "population.create",
      .differs(
        """
        It fetches, ties and creates entity by entity, so that a parent may not be there yet when its
        children are tied.
        """),
      """
      Every item that found no stored record gets a new one, after all entities were fetched and all
      children tied to their parents.
      """),
    Rule(
      "population.hook",
      """
      The pre-population hook is asked once per record, with the dictionary that counts or the one that a
      scalar stands for, and may answer another one for the attributes to be read from. Which record it is,
      its entity and its links stay as they are; a stub becomes full by what the hook adds. A record without
      a key can get the attribute in this way; it identifies the record from the next response on.
      """),
    Rule(
      "population.attributes",
      """
      The key is set first, then each attribute that the dictionary has, in the model's order. Of a stub the
      key alone is set.
      """),
    Rule(
      "population.relationships", .differs("It links record by record in no fixed order."),
      """
      After all attributes, the links of all records are set together: nulls first, then lists, then what
      records say of their own to-ones. What is later in this order has the last word.
      """),
    Rule(
      "population.orphans",
      """
      Stored records that the response did not bring are offered for deletion, by the rules of the group
      `orphans`.
      """
    ),
    Rule(
      "population.save",
      """
      All that came of one response is saved together, after everything else and before the caller gets
      anything.
      """
    ),
    Rule(
      "population.results",
      """
      The caller gets a record for each item, in the order of the response, and the same record again for an
      item that repeats it. Items that were left out have no place in the list, and nested records are not
      in it.
      """),
  ]

  // MARK: - model

  private static let model = [
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

  // MARK: - response

  private static let response = [
    Rule(
      "response.source", .differs("It takes decoded objects alone."),
      """
      What a server answers may be bytes or a JSON value made in Swift, and both give the same records.
      Places in the latter have JSON pointers, but no lines.
      """),
    Rule(
      "response.array",
      "An array at the root is the list of items; the response key path is not applied to it."),
    Rule(
      "response.key-path", .differs("An array within the array is taken for a key."),
      """
      In an object the items are where the response key path leads: the request's, else the entity's;
      without one the object is the item. Arrays within arrays are flattened.
      """),
    Rule("response.single", "One object where a list could be is a list of one item."),
    Rule(
      "response.empty", .differs("An empty body fails the request."),
      """
      Nothing at the response key path, a null, an empty array or an empty body: no records, with the
      diagnostic `empty-result-set`. The request succeeds.
      """),
    Rule(
      "response.invalid", .differs("A scalar in place of an object raises an exception."),
      """
      Bytes that are no JSON, or a scalar in place of the items that cannot be a key, fail the request with
      `invalid-response-format`. Nothing is saved.
      """),
    Rule(
      "response.invalid-item", .differs("Whatever is in the array becomes a record, or raises an exception."),
      """
      A scalar among the items that cannot be a key is left out with the diagnostic `invalid-item`; the
      other items become records.
      """),
    Rule(
      "response.scalar-item", .differs("Booleans and empty strings are keys as well."),
      """
      A scalar among the items is the key of a record, if the entity has a single attribute as key and the
      scalar can become its type. A boolean and an empty string never are one.
      """),
    Rule(
      "response.metadata",
      """
      `keyPathForMetaData` says where the response has what is not about records, such as how many there are in all. It is
      handed over with the records, also with none. It is looked for in an object only.
      """
    ),
    Rule(
      "response.custom-object",
      .differs("A handler of the caller's picks a part, which is handed over instead."),
      """
      The whole response object is handed over with the records, for what is no record in it: also if there are
      no items, for each page by itself, and not after a failure or with what a fetch-first request has stored.
      """),
  ]

  // MARK: - mapping

  private static let mapping = [
    Rule(
      "mapping.name",
      """
      Without alternate names a property is read from the item's key of its own name. It may say that its own
      name is not asked.
      """),
    Rule(
      "mapping.alternate-name", .differs("A property has one alternate name at most."),
      """
      The alternate names of a property are tried in their order, and its own name after them. Each of them
      may be a key path.
      """),
    Rule(
      "mapping.key-path", .differs("A path through a scalar raises an exception."),
      """
      `a.b` walks into dictionaries. Where the walk meets an array, it goes on in each of its elements, and
      what they have becomes a list; `@count` is the number of elements, and `@unionOfObjects.name` says the
      same walk in words. Where there is nothing to walk into, nothing is found.
      """),
    Rule(
      "mapping.path-syntax", .new,
      """
      A list of keys, `[user, "a.b"]`, is a path whose keys are taken as they stand, dots and `@` included.
      `items[0].url` takes one element of an array, counted from 0.
      """),
    Rule(
      "mapping.first-match",
      .differs("For an attribute the last path that finds something wins, for a key the first."),
      """
      The first path that finds something decides, even if it finds a null or a value of another type: later
      paths are not asked. A path that meets a null before its end has found nothing.
      """),
    Rule(
      "mapping.missing",
      "If no path finds anything, a stored record keeps the value that it has, and a new one its default."),
    Rule(
      "mapping.null", .differs("A null keeps what is there."),
      """
      A null clears an attribute or a to-one, and is an empty list for a to-many. Where `null: keep` is
      declared, for the property, its entity or the model, it changes nothing. A required attribute takes
      its default instead, or keeps its value with the diagnostic `null-required` if it has none.
      """),
    Rule(
      "mapping.null-element", .differs("It becomes a record without a key."),
      "A null in a list of items is left out with the diagnostic `null-element`."),
    Rule(
      "mapping.keyed-collection", .new,
      """
      Where the model says which attribute the keys are, a dictionary of items such as `{"7": {…}, "9":
      {…}}` is read as a list, at the response key path or in a to-many. The key counts even if the item has
      another value for the attribute.
      """),
    Rule(
      "mapping.inheritance",
      "An item of a sub-entity is read for the properties of its ancestors as for its own."),
  ]

  // MARK: - values

  private static let values = [
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

  // MARK: - identity

  private static let identity = [
    Rule(
      "identity.attribute-key",
      "Items with equal keys are one record, in one response and from one response to the next."),
    Rule(
      "identity.key-path", .differs("A null is taken for the key."),
      """
      A key is found by alternate names and key paths like any attribute, except that a null does not end
      the search: the next path is asked.
      """),
    Rule(
      "identity.key-type", .differs("It compares JSON values, so that `1` and `\"1\"` are two records."),
      """
      A key is converted to the type of its attribute before it is compared: for a string attribute `1` and
      `"1"` are one key.
      """),
    Rule(
      "identity.missing", .differs("Items whose key is null are one record."),
      """
      An item whose key is absent, null or of no use for its type is a record of its own, new each time,
      with the diagnostic `missing-primary-key`. If the keys of all items of an entity are of the wrong
      type, that is one diagnostic instead of one for each.
      """),
    Rule(
      "identity.default", .differs("The default stays, so that Xcode's 0 looks like a key."),
      "The default of a key attribute is never a key: a record made without one has no value there."),
    Rule(
      "identity.back-reference", .differs("A second record with the same key is made."),
      """
      A record is known before the items inside it are met, so that an item within that names it again is
      that record, and not another one.
      """),
    Rule(
      "identity.injected", .differs("Of two items that are given the same key the second is lost."),
      """
      The injection hook is asked for the key of an item that has none or a null, after its sub-entity was
      chosen; not where the key is a relationship or several attributes. It sees the entity, the dictionary
      and the item around it, and may answer nothing. Its answer is converted, identifies like a key of the
      response's own, and is stored.
      """),
    Rule(
      "identity.inherited",
      .differs("It looks for the key in the entity itself again and again, and finds none."),
      "A sub-entity that declares no key has that of its nearest ancestor that does."),
    Rule(
      "identity.sub-entity",
      .differs("Within a response one key can be two records, one of each entity."),
      """
      A key is unique among the entity that declares it and all its sub-entities. A stub takes the entity of
      the full item of the same record. A stored record of an entity above or beside the item's becomes of
      the item's entity, keeps its id and the links that both have, and is told with `entity-changed`.
      """),
    Rule(
      "identity.composite", .new,
      """
      A key may be several attributes; all of them must be there and of their types, else the item has no
      key. A relationship in such a key is a mistake of the model.
      """),
    Rule(
      "identity.relationship-key", .differs("The item around it is the only parent it knows."),
      """
      Where the key is a to-one, a record is the one of its parent: of the record around it, if nested
      through the inverse, else of the one that the item itself names. If the two disagree, the one around
      it counts, with `inconsistent-parents`. The child that the parent has is updated, or one is made. A
      key relationship without inverse identifies nothing.
      """),
    Rule(
      "identity.relationship-key.merge", .differs("Each appearance is another record."),
      """
      However often the one child of a parent appears in a response, it is one record, and its dictionaries
      are settled like those of any other.
      """),
    Rule(
      "identity.relationship-key.to-many", .differs("Equal items of a new parent are several records."),
      """
      Where the parent may have many such children, an item is the stored child whose attributes equal all
      that the item has; relationships are not compared, and a key of the item that the model does not map
      fits no child. Items of one parent that say the same are one record. `unmatched-child` tells where a
      parent has children and none fits.
      """),
    Rule(
      "identity.relationship-key.nested", .differs("Whether a grandchild is found depends on chance."),
      "A parent may be keyed by a parent in turn: they are found from the outermost to the innermost."),
    Rule(
      "identity.relationship-key.root", .differs("It is created without a word."),
      """
      An item keyed by its parent that has no parent is a new record, with the diagnostic
      `missing-primary-key`.
      """
    ),
  ]

  // MARK: - merge

  private static let merge = [
    Rule(
      "merge.first-wins",
      """
      Of several full dictionaries of one record in a response the first one counts. The others set nothing,
      but wherever they stand, the record is linked.
      """),
    Rule(
      "merge.stub-then-full",
      .differs("Only a dictionary of one member is replaced: any other key, such as a url, makes it count."),
      """
      A record that is met as a stub first takes the first full dictionary that follows, with what is nested
      in it.
      """
    ),
    Rule("merge.full-then-stub", "A stub after a full dictionary of the same record changes nothing."),
    Rule(
      "merge.inconsistent", .differs("It logs where the number of keys differs."),
      """
      Two full dictionaries of one record that disagree in a mapped property are told with
      `inconsistent-duplicates` and both places; the request goes on. Values are compared after conversion,
      nested items by the records they are, and a property that one has and the other lacks is a
      disagreement.
      """),
    Rule(
      "merge.once",
      .differs(
        "They are followed each time the record is met, which leaves children behind that nobody links."),
      "What is nested in the dictionary that counts becomes records once, however often the record appears."),
    Rule(
      "merge.strategy", .new,
      """
      An entity, or a request for all entities, says how full dictionaries become one: `first`, the default,
      or `deep`; or a hook of the request, asked first, answers which of two counts, or a dictionary in their
      place. `deep` takes for each property the first value that is not null, and for a to-many the
      members of all; children without identity come from the first dictionary that has the list.
      """),
    Rule(
      "merge.across",
      """
      What a response has for a stored record replaces what the record had; what the response does not
      mention stays.
      """
    ),
    Rule(
      "merge.unmodified", .new,
      """
      An entity may name the attribute that says when the server changed a record. An item that is as old as
      the stored record, or older, sets no attributes; its relationships are set all the same. Strings are
      only as old if they are equal, and a value that is missing, null or not to be read counts as newer.
      """),
    Rule(
      "merge.order-free", .differs("It walks sets, and promises nothing."),
      """
      Where every item has a key and no diagnostic says that two places are inconsistent, the order of the
      items and of the keys in dictionaries changes nothing but the order of results and of ordered
      relationships.
      """),
  ]

  // MARK: - relationships

  private static let relationships = [
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
      Of an array where a to-one is declared the first usable item is linked, with the diagnostic
      `many-for-one`. The others become records too, if they have an identity; else they are left out. An
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
      With `assignment: replace` a list that is there, be it empty or null, says all members; one that names
      its owner itself stays. What is taken out loses its link; it is deleted if it is keyed by this
      relationship, and stays, with `required-owner`, if it needs an owner and has no other.
      """),
    Rule(
      "relationships.ordered",
      """
      An ordered to-many keeps its members in the order in which they came, and one that comes again keeps
      its place. With `assignment: replace` it takes the order of the response, in which repeats count where
      they stand first.
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
      response brings. Any other is left out with `missing-reference`.
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

  // MARK: - subentity

  private static let subentity = [
    Rule(
      "subentity.choose",
      """
      The sub-entities of the expected entity are asked in the order of their declaration whether the item
      is theirs, and the first that says yes is taken and asks its own in turn. If none does, the item is of
      the entity itself. One that declares no condition never says yes.
      """),
    Rule(
      "subentity.abstract", .differs("A record of the abstract entity is made."),
      """
      No record is ever of an abstract entity: a dictionary that none of its sub-entities claims is left out
      with the diagnostic `no-entity`, and so is a key in the list of items that leads to no record.
      """),
  ]

  // MARK: - save

  private static let save = [
    Rule(
      "save.persist",
      """
      What a request brought is in the store and in the caller's context when its result arrives, and is there
      when the store is opened again.
      """),
    Rule(
      "save.child",
      """
      With `automaticallyPersistsRecords: false` what a request brings or deletes is an unsaved change of
      the caller's context; saving it or rolling it back is up to the caller.
      """),
    Rule("save.atomic", "Everything that a response brought is saved, or nothing of it."),
    Rule(
      "save.validation", .differs("The error can get lost."),
      """
      A required property without a value, or a to-many with too few or too many members, fails the request
      with `save-error`, one diagnostic for each violation, and nothing is saved. A stub may lack everything
      but its key; it is checked by the save that fills it.
      """),
    Rule(
      "save.delete-rules",
      """
      A deletion takes with it (`cascade`), unlinks (`nullify`), or is refused by what is related (`deny`), through
      cycles. A denial is judged when it is saved, by what is still related then. With `noAction` nobody asks whether
      what is related needs the record; the link goes all the same, since none leads to a record that is gone.
      """
    ),
    Rule("save.concurrent", "Two requests under way that bring the same new key end in one record."),
  ]

  // MARK: - context

  private static let context = [
    Rule("context.identity-map", "In one context a record is one object, however often it is handed out."),
    Rule(
      "context.refresh", "An object that the caller holds has the new values once a request has saved them."),
    Rule(
      "context.conflict",
      """
      Where a response changes a record with unsaved changes of the caller's, the properties that the caller
      changed stay, and the others are refreshed, whether requests save or not.
      """),
  ]

  // MARK: - predicate

  private static let predicate = [
    Rule(
      "predicate.logic", .new,
      "NOT binds tightest, then AND, then OR; a comparison holds or it does not, and NOT turns that round."),
    Rule(
      "predicate.nil", .new,
      """
      Nil equals nil and nothing else, and is neither below nor above anything; a value that is not there is nil, and so is
      what lies beyond a to-one that leads nowhere.
      """),
    Rule(
      "predicate.number", .new,
      """
      Numbers compare by their exact worth whatever their types and however many their digits; booleans are 1 and 0. A double
      is worth its shortest text, so that a stored 0.1 equals 0.1.
      """),
    Rule(
      "predicate.text", .new,
      """
      Texts compare scalar by scalar; [c] takes no notice of case, [d] of diacritics. A composed letter and one with a
      combining mark are two texts without [d].
      """),
    Rule(
      "predicate.part", .new,
      """
      CONTAINS, BEGINSWITH and ENDSWITH ask for a part of a text, LIKE for a pattern (? is one character, * any number),
      MATCHES for a regular expression that is the whole text. IN over a text is CONTAINS from the other side.
      """),
    Rule(
      "predicate.date", .new,
      "A text that is compared with a date is read as RFC 3339; one that is none equals no date."),
    Rule(
      "predicate.kind", .new,
      "Values of kinds that do not compare are unequal, and neither is below the other."),
    Rule(
      "predicate.list", .new,
      "IN holds for a value that equals one of a list, BETWEEN for one from the first of two to the second, both included."
    ),
    Rule("predicate.key-path", .new, "A key path leads through to-ones to what the record at their end has."),
    Rule(
      "predicate.any", .new,
      """
      ANY holds if a member of a to-many satisfies the comparison, ALL if no member fails it, NONE if none satisfies it: over
      no members ANY is false, ALL and NONE are true.
      """),
    Rule("predicate.count", .new, "@count behind a to-many is the number of its members."),
    Rule(
      "predicate.sub-entity", .new,
      "A key is the record's own property: what only some sub-entities have is nil for all others, whoever has one so named."
    ),
  ]

  // MARK: - fetch

  private static let fetch = [
    Rule(
      "fetch.sort", .new,
      """
      Records are sorted by attributes in the order of weight, also by those of what to-ones lead to; without a value they come
      first, descending last. Equal ones stand oldest first.
      """),
    Rule(
      "fetch.page", .new,
      "The offset leaves out the first records of the sorted answer, the limit those behind."),
    Rule(
      "fetch.unsaved", .new,
      "A context's unsaved changes count: what is inserted, changed, linked or deleted in it is fetched as it is there."
    ),
  ]

  // MARK: - orphans

  private static let orphans = [
    Rule(
      "orphans.default",
      "Nothing is deleted unless the request asks for it; its own option beats the default of its type."),
    Rule(
      "orphans.scope",
      .differs(
        """
        Records that the response has only nested in others are offered as well, even new ones.
        """),
      """
      Orphans are the stored records of the requested entity and its sub-entities that the response does not mention
      anywhere, not even nested, by key, unmodified or in a superseded dictionary. A predicate narrows that; it holds
      for what was stored before the response came. What the caller has not saved yet is no orphan, nor what anybody
      has saved since the request was sent. Without a key in the model all items are new, and all former records orphans.
      """),
    Rule(
      "orphans.decide",
      .differs("The order is by chance, and each record is deleted before the hook is asked about the next."),
      """
      A hook is asked about each orphan in the order of keys, before anything is deleted, with the populated records
      and the response at hand. It answers whether to delete it and whether to stop asking; who is not asked about
      stays. Delete rules take nothing that the response brings. What a `deny` rule protects, or a record that stays
      requires, stays, with the diagnostic `denied-deletion` or `required-owner`; orphans that go together are not in
      each other's way.
      """),
    Rule(
      "orphans.pages",
      .differs("Each page is taken by itself, so that it deletes what the other pages have."),
      """
      A paged run is taken as a whole: orphans are what none of its pages has, after the last page of a run
      that began with the first, and what others have saved since that was asked for is none. Otherwise
      `orphans-not-evaluated` tells that they were not looked for. A scope that is made of the response, and so says what
      one page speaks for, makes each page count by itself.
      """),
    Rule(
      "orphans.partial",
      .differs("Whatever is not populated is offered: after an invalid response, all records."),
      """
      There are none after a failure, nor if an item of the entity, nested or not, was left out or could not be
      identified: the diagnostic `orphans-not-evaluated` tells so.
      """),
    Rule(
      "orphans.empty", .differs("A list that is missing or null counts as an empty one."),
      """
      An empty array makes all records in scope orphans. A list that is missing or null, or gathered from several places
      and empty, makes none, and the diagnostic `orphans-not-evaluated` tells so.
      """),
    Rule(
      "orphans.guard", .new,
      """
      If more deletions are approved than a limit allows, none is done, and the diagnostic `orphan-limit` tells so. The
      limit is a number, or a share of the records that are stored in the scope.
      """),
    Rule(
      "orphans.tombstone", .new,
      """
      An item for which the entity's deletion predicate, or its ancestor's, holds deletes its record, wherever it
      stands and whatever other items say. It makes no record, is no result, and nothing else of it is read. Without a
      key it is left out with `missing-primary-key`. Delete rules are those of `orphans.decide`.
      """),
  ]

  // MARK: - request

  private static let request = [
    Rule(
      "request.server",
      """
      The server of a record type is the one registered for it or its entity, or for the nearest ancestor, and
      can be taken away again. Without one the request fails with `undefined-server` before anything is sent.
      """),
    Rule(
      "request.options-once",
      """
      The options of one request are those of that request alone, also while others are under way. The next
      one starts from its record type's own again.
      """),
    Rule(
      "request.options-batch",
      """
      The options of a batch are those of every request in it that has none of its own, those of further pages
      included, and of none after it.
      """),
    Rule(
      "request.defaults", .differs("Some of them are ignored."),
      """
      A request without options starts from those of its entity, else of the nearest ancestor, else of its
      record type: key paths, merging, paging, headers and all others.
      """),
    Rule(
      "request.batch",
      """
      The requests of a batch all run, whatever becomes of the others. It ends once, behind every result and
      failure, those of further pages and of fetch-first requests in it included.
      """),
    Rule(
      "request.detail", .differs("Whatever record comes first is handed back, and no address is not told."),
      """
      A record is brought up to date from the address that it has for its details, and handed back as the
      same record. Without such an address the request fails with `undefined-detail-urn` before anything is
      sent. An item that nothing identifies is that record; one of another record fails it with
      `record-mismatch`.
      """),
    Rule(
      "request.page", .differs("A missing page manager is not told."),
      """
      A page manager made from a paged response and its request knows the pages around it, as far as the
      server says: the next address and data, how many results there are, how many to a page, and which page it
      is. The next page has the same options, and one that failed is asked for again. Where nobody says how
      there are pages, the request fails with `undefined-page-manager`.
      """),
    Rule(
      "request.page.option",
      "A way of paging in the options of a request takes the place of the server's, for all pages of that run."
    ),
    Rule(
      "request.page.loop", .new,
      """
      A next page that has been visited already is not asked for and ends the run with `page-loop`, however its
      parameters are written.
      """),
    Rule(
      "request.fetch-first",
      """
      The records that match in the store are handed over before anything is sent, and those of the response
      when it comes. If the request fails, the first answer stands.
      """),
    Rule(
      "request.cancel",
      """
      A request cancelled by its domain or with its task ends with the failure `cancelled` and saves
      nothing. One that has ended is not cancelled any more.
      """
    ),
    Rule(
      "request.session-timeout",
      """
      When a server says that the session has timed out, the handler registered for that may have the request
      made once more, as it was. Without a handler, or if it times out again, the request fails with that.
      """
    ),
    Rule(
      "request.failure",
      """
      What a server throws reaches the caller as it is, and nothing is saved. An HTTP status of 400 or more
      is the failure `http-status`, whatever its body.
      """),
    Rule(
      "request.once", .differs("In several cases it never ends."),
      "A request ends once, with a result or with a failure, whatever goes wrong."),
    Rule(
      "request.callback", provenBy: "CallbackTests",
      """
      Results and failures arrive where the caller is, or on the queue that it names; by default on the main
      actor.
      """),
    Rule(
      "request.changes", .new,
      """
      A result says which records were inserted, deleted, left as they were, and updated: in which properties,
      from what and to what. What changed on the other side of a relationship does not count. The same
      response again writes no row, if its items have keys.
      """),
    Rule(
      "request.dry-run", .new,
      """
      A dry run says what a response would change, and shows the records as they would be, over what the
      context has not saved. Nothing is written, and the context stays as it is. Where a save would be
      refused, it fails.
      """),
  ]

  // MARK: - cache

  private static let cache = [
    planned("cache.off", "Unless caching is turned on, every request asks the server."),
    planned(
      "cache.store",
      """
      With caching on, the ids of a response's records are kept in their order, after the save and apart
      from them, under the request as the server describes it. What was not saved is not cached.
      """),
    planned(
      "cache.hit",
      """
      While an entry is fresh, its records come from the store in their order; nothing is asked, parsed or
      populated.
      """
    ),
    planned(
      "cache.stale", .differs("It neither asks nor answers."),
      "An entry that is not fresh and has nothing to check it by is dropped, and the server asked."),
    planned(
      "cache.revalidate", .new,
      """
      With an ETag or a date of modification the server is asked whether the entry still holds; 304 makes it
      fresh again, without parsing or populating.
      """),
    planned("cache.freshness", "What is fresh, what may be kept and what must be checked is as in RFC 9111."),
    planned(
      "cache.metadata",
      """
      With `keyPathForMetaData` that part of the response is kept, for the custom response handler to find
      at its place.
      """
    ),
    planned("cache.deleted", "Records deleted since are not among those of a hit."),
    planned("cache.replaced", "A new response for a request takes the place of the former entry."),
    planned(
      "cache.isolation",
      """
      Requests that differ in address, parameters, varying headers, entity or response key path have entries
      of their own.
      """
    ),
    planned("cache.plain", "The cache is not encrypted."),
  ]

  // MARK: - diagnostics

  private static let diagnostics = [
    Rule(
      "diagnostics.all", .differs("The last one that fails the request is the primary one."),
      """
      A failed request says which diagnostic failed it, the first one that does, and carries all that were
      met, in order; with them the response object, the entity that was asked for, the dictionary of the record
      that is at fault, the record type, the response key path and the server, where there are such. A request
      that succeeds hands its diagnostics over with its result.
      """),
    Rule(
      "diagnostics.replace",
      """
      A request may bring a debugger of its own, or a container, which judges each diagnostic: a failure
      fails the request before anything is saved, a warning is told, and nobody is told of what it ignores.
      What fails a request by itself is not for it to judge.
      """),
    Rule(
      "diagnostics.levels", .differs("It prints by itself, and has levels of its own."),
      provenBy: "RequestLogTests",
      """
      Nothing is printed unasked. A container that is given a logger tells it, from its level on, of failures,
      diagnostics, requests, what responses came to, and each record.
      """),
    Rule(
      "diagnostics.where", .differs("It does not say where in the response."),
      """
      A diagnostic names the entity and the property it is about, the address of the response, and the place
      in it as a JSON pointer, or both places where two disagree; each where there is one to name.
      """),
    planned(
      "diagnostics.drift", .new,
      """
      On request it is counted which keys of a response nobody read, which mapped ones never came, and which
      changed type.
      """
    ),
  ]

  // MARK: - Around the core

  private static let dynamic = [
    Rule(
      "dynamic.store",
      .differs(
        "Every transformable attribute of the entity is set to it, and an item of the key alone is a stub."),
      """
      An entity may name a transformable attribute that keeps the dictionary of each item: the one that counts
      for the record, as a hook or a merge has made it. The attribute is looked up nowhere itself, and no
      dictionary is a stub then; a scalar still is, and leaves it alone.
      """),
    Rule(
      "dynamic.relationships", .differs("One that is found by key path stays in it."),
      """
      The dictionary is kept without what the paths of the entity's relationships lead to, those found by key
      path or below arrays included. An element of an array that is taken out leaves a null in its place.
      """),
  ]

  private static let serializer = [
    Rule(
      "serializer.entity", .differs("Of several fragments that stand in the URL, any may count."),
      """
      The bytes of a response become records of the entity that is registered for the longest fragment of
      its URL, the query included. If none stands in it, that fails with diagnostic 4.
      """
    ),
    Rule(
      "serializer.invalid", .differs("It reports 6 in place of a transport error, and without the text."),
      """
      Bytes that cannot be decoded, or can be no records, fail with diagnostic 6 and the text they are; a
      transport error passes through.
      """),
    Rule("serializer.save", "The records are saved, or handed to the context, as those of a request are."),
  ]

  private static let jsonserver = [
    Rule(
      "jsonserver.match", .differs("Any fragment that fits may answer."), provenBy: "JSONServerTests",
      """
      A local file answers the requests whose address has its fragment. The longest one counts; of two as
      long, the one that ends later. The parameters that a fragment names must be among the request's.
      """),
    Rule(
      "jsonserver.delay", provenBy: "JSONServerTests",
      "The answers can be delayed, as those of a real server are."),
    Rule(
      "jsonserver.malformed", .differs("It answers with nothing, as an empty response does."),
      provenBy: "JSONServerTests",
      """
      A file that is missing, or is no JSON, fails the request with an error that names the file and the
      place in it; so does an address for which there is no fragment.
      """),
  ]

  private static let httpserver = [
    Rule(
      "httpserver.request", .differs("Every request is a GET."), provenBy: "HTTPServerRequestTests",
      """
      A request is sent over HTTP with its method and headers, at its address below the path of the base URL,
      below its host, or absolute. What HTTP cannot send is refused before anything is sent.
      """),
    Rule(
      "httpserver.parameters", provenBy: "HTTPServerRequestTests",
      """
      Parameters are sent once, sorted by name: in the address, or for methods that have one in the body, as a
      form or as JSON. Those of the data take the place of the address's, and these that of the base URL's.
      """),
    Rule(
      "httpserver.origin", .new, provenBy: "HTTPServerRedirectTests",
      """
      The server's headers, its base URL's parameters and the headers of a request that could be secret go to
      the base URL's scheme, host and port, and to those trusted by name, and nowhere else.
      """),
    Rule(
      "httpserver.redirect", provenBy: "HTTPServerRedirectTests",
      """
      Redirects are followed, 20 at most. A status that is neither success nor failure nor 304 and cannot be
      followed is a failure.
      """),
    Rule(
      "httpserver.status", provenBy: "HTTPServerTests",
      "A status of 400 or more fails the request, whatever its body; 304 is handed on as it is."),
    Rule(
      "httpserver.failure", provenBy: "HTTPServerFailureTests",
      """
      What goes wrong on the way, a connection refused or cut off or an answer that is no HTTP, reaches the
      caller as the `URLError` it is.
      """),
    Rule(
      "httpserver.timeout", provenBy: "HTTPServerFailureTests",
      "A request on which nothing happens for some time fails."),
    Rule(
      "httpserver.body-size", .new, provenBy: "HTTPServerFailureTests",
      "A body that is larger than the limit, decompressed, fails the request as soon as that is known."),
    Rule(
      "httpserver.cancel", provenBy: "HTTPServerFailureTests",
      "A request that is cancelled, by its task or its domain, ends its connection, and ends once."),
  ]

  private static let tweaks = [
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

  private static let customise = [
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
