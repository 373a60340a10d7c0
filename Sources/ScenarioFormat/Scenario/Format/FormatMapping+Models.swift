import JSONTree
import RecordModel

/// Models, in scenarios and in files of their own.
extension FormatMapping {
  package static let model = FormatMapping(
    "model", of: "a model",
    [
      .required(
        "entities", .entries(.mapping(.entity), of: .any),
        "The entities. Not required with `file` and `registered`."),
      .optional(
        "dateFormat", .dateFormat,
        """
        The format of date strings. An attribute or entity can override it. Without a format, a date \
        string is skipped, with the diagnostic `value-type`. A number is the seconds since 1970, or the \
        milliseconds if the format is `unix-milliseconds`.
        """),
      .optional(
        "nulls", .choice(NullPolicy.self), default: "`clear`",
        """
        The effect of a null on attributes and to-one relationships: `clear` removes the value, `keep` \
        leaves it unchanged. An entity or property can override it with `null`.
        """),
      .optional(
        "names", .choice(NamingConvention.self), default: "`as-written`",
        "The keys of properties: with `snake_case`, the key of `createdAt` is `created_at`."),
      .optional(
        "nullValues", .list(.json),
        "The values that mean null, such as `\"\"` or `[]`. Entities and properties can list others."),
      .optional(
        "file", .string(.modelFile), "A model file or Xcode model. The other keys add to it and override it."),
      .optional(
        "registered", .string,
        "A model in Swift that a test target registers with this name, without other keys."),
    ])

  package static let entity = FormatMapping(
    "entity", of: "an entity",
    [
      .optional(
        "class", .string, default: "plain records",
        "The Swift record type. If a test target registers record types, it must be one of them."),
      .optional("parent", .string, "The entity that this one inherits from."),
      .optional("abstract", .boolean, default: "`false`", "If `true`, all records belong to sub-entities."),
      .optional("primaryKey", .names, default: "the parent's", "The key of a record."),
      .optional(
        "keyPattern", .string, default: "the parent's",
        """
        The text around a key in items and references. `*/{key}` reads `p1` in `Patient/p1`; `*` matches \
        any text.
        """),
      .optional(
        "responseKeyPath", .responsePath, default: "the parent's, or else `[]`",
        "The position of the items in a response object. With `[]`, the response object is the item."),
      .optional(
        "responseKeyedBy", .string, default: "the parent's",
        """
        For items in a dictionary such as `{"7": {…}, "9": {…}}`: the attribute that contains the keys \
        of the dictionary.
        """),
      .optional(
        "sideloaded", .entries(.either([.string, .strings]), of: .any), default: "the parent's",
        """
        The other lists of a response, by their key path, with the entity of their items. Of several \
        entities, the first whose `usedWhen` matches is chosen.
        """),
      .optional(
        "deletedKeyPath", .path, default: "the parent's",
        "The position of a list of keys in a response object. The records with these keys are deleted."),
      .optional(
        "withoutKey", .choice(KeylessItemPolicy.self), default: "the parent's, or else `create`",
        "The effect of an item without a key: `create` makes a record, `skip` leaves it out."),
      .optional(
        "names", .choice(NamingConvention.self), default: "the parent's, or else the model's",
        "The keys of properties, as for the model."),
      .optional(
        "nullValues", .list(.json), default: "the parent's, or else the model's", "The values that mean null."
      ),
      .optional(
        "dateFormat", .dateFormat, default: "the parent's, or else the model's",
        "The format of date strings."),
      .optional(
        "null", .choice(NullPolicy.self), default: "the parent's, or else the model's",
        """
        The effect of a null on the attributes and to-one relationships, as for `nulls`. A null for a \
        to-many means an empty list.
        """),
      .optional(
        "merge", .choice(MergeStrategy.self), default: "the parent's, or else `first`",
        """
        The way in which several full items of one record in a response are merged. `first` uses the \
        item with the most mapped properties, among equals the first. `deep` uses, for each property, the \
        first value that is not null.
        """),
      .optional(
        "modificationAttribute", .string, default: "the parent's",
        """
        The attribute that contains the time of the last change on the server. An item that is not \
        newer than the stored record sets no attributes.
        """),
      .optional(
        "dictionaryAttribute", .string, default: "the parent's",
        "The attribute that stores the dictionary of each item, without its relationships."),
      .optional(
        "usedWhen", .predicate, default: "never",
        """
        A predicate for items of the parent. The first sub-entity whose predicate matches becomes the \
        entity of the record.
        """),
      .optional(
        "deletedWhen", .predicate, default: "the parent's",
        "An item that matches deletes its record. The predicate applies to sub-entities too."),
      .optional(
        "detailURN", .string, default: "the parent's",
        """
        The address that a `detail` step requests. Braces contain an attribute or a key path of the \
        record.
        """),
      .optional(
        "cache", .boolean, default: "the parent's, or else `false`",
        "If `true`, responses to requests for the entity are stored in the record cache."),
      .optional(
        "ignores", .strings, "The keys of items that the app does not use. Patterns of the parent apply too."),
      .optional(
        "renamingIdentifier", .string,
        "The former name of a renamed entity. Its records in an existing store file are kept."),
      .optional(
        "attributes", .entries(.either([.choice(AttributeType.self), .mapping(.attribute)]), of: .any),
        "The attributes."),
      .optional("relationships", .entries(.mapping(.relationship), of: .any), "The relationships."),
    ])

  package static let attribute = FormatMapping(
    "attribute", of: "an attribute",
    [
      .required("type", .choice(AttributeType.self), "The type."),
      .optional(
        "from", .paths, "The alternate names. They are tried in order, before the attribute's own name."),
      .optional(
        "usesOwnName", .boolean, default: "`true`", "If `false`, the attribute's own name is not tried."),
      .optional("format", .dateFormat, default: "the entity's", "The format of date strings."),
      .optional("default", .json, "The initial value in a new record."),
      .optional(
        "optional", .boolean, default: "`true`",
        "If `false`, the attribute needs a value when its record is saved."),
      .optional(
        "null", .choice(NullPolicy.self), default: "the entity's",
        "The effect of a null: `clear` removes the value, `keep` leaves it unchanged."),
      .optional("nullValues", .list(.json), default: "the entity's", "The values that mean null."),
      .optional(
        "transformer", .string,
        """
        The name of a value transformer that a test target registers. On the command line, the JSON \
        value is stored.
        """),
      .optional(
        "renamingIdentifier", .string,
        "The former name of a renamed attribute. Its values in an existing store file are kept."),
    ])

  package static let relationship = FormatMapping(
    "relationship", of: "a relationship", later: ["by"],
    [
      .optional("to", .string, "The entity of a to-one relationship."),
      .optional("toMany", .string, "The entity of a to-many relationship."),
      .optional("inverse", .string, "The relationship of the other entity that leads back."),
      .optional(
        "ordered", .boolean, default: "`false`", "If `true`, a to-many keeps the order of its members."),
      .optional(
        "optional", .boolean, default: "`true`",
        "If `false`, the relationship must not be empty when its record is saved."),
      .optional("minCount", .memberCount, default: "`0`", "The minimum number of members; 0 for no limit."),
      .optional("maxCount", .memberCount, default: "`0`", "The maximum number of members; 0 for no limit."),
      .optional(
        "deleteRule", .choice(DeleteRule.self), default: "`nullify`",
        "The effect on the related records when a record is deleted."),
      .optional("from", .paths, "The alternate names, as for an attribute."),
      .optional(
        "usesOwnName", .boolean, default: "`true`", "If `false`, the relationship's own name is not tried."),
      .optional(
        "null", .choice(NullPolicy.self), default: "the entity's",
        "The effect of a null on a to-one: `clear` empties it, `keep` leaves it unchanged."),
      .optional("nullValues", .list(.json), default: "the entity's", "The values that mean null."),
      .optional(
        "assignment", .choice(RelationshipAssignment.self), default: "`union`",
        """
        The effect of a list in a response on a to-many: `union` adds its members, `replace` replaces \
        the former members.
        """),
      .optional(
        "stubs", .choice(StubPolicy.self), default: "`create`",
        """
        With `create`, a key that refers to an unknown record creates a record with only this key. \
        With `never`, it is skipped.
        """),
      .optional(
        "keyedBy", .string,
        """
        For items in a dictionary such as `{"1": {…}, "2": {…}}`: the attribute of the other entity \
        that contains the keys of the dictionary.
        """),
      .optional(
        "renamingIdentifier", .string,
        "The former name of a renamed relationship. Its members in an existing store file are kept."),
    ], conditions: [.exactlyOne(["to", "toMany"])])
}
