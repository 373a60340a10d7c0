import JSONTree
import RecordModel

/// The customization of a model in a scenario: `customize` and tweaks.
extension FormatMapping {
  package static let customization = FormatMapping(
    "customization", of: "an entry of 'customize'",
    [
      .optional("primaryKey", .names, default: "the model's", "The key."),
      .optional(
        "responseKeyPath", .responsePath, default: "the model's",
        "The position of the items in a response object."),
      .optional("dateFormat", .dateFormat, default: "the model's", "The format of date strings."),
      .optional(
        "keyPaths", .entries(.paths, of: .any), default: "the model's",
        """
        The key paths of a property, one or a list. They replace those of the model and the property's \
        own name. With an empty list, the property is not read.
        """),
      .optional(
        "keyFrom", .paths,
        """
        The key is computed: it consists of the values at these paths, joined by `-`. If a path finds \
        no string, number or Boolean, the key is read as usual.
        """),
      .optional(
        "values", .entries(.entries(.literal, of: .any), of: .any),
        """
        Replacements for values in a response, by attribute. With `values: {stars: {many: 5}}`, the \
        text `many` becomes 5.
        """),
      .optional(
        "attributes", .entries(.mapping(.attributeSource), of: .any), default: "the model's",
        "The sources of attributes."),
      .optional(
        "relationships", .entries(.mapping(.linkConditions), of: .any),
        "The conditions under which records are linked."),
      .optional(
        "childBy", .string,
        """
        For an entity whose key is a to-one relationship: the attribute that tells apart the stored records with \
        the same related record.
        """),
      .optional(
        "merge", .choice(DeclaredMerge.self), default: "the model's",
        """
        The way in which two full items of one record are merged. `first` and `last` select one of \
        them. `together` combines their keys; if both have a key, the last value is used.
        """),
      .optional(
        "before", .entries(.mapping(.assignment), of: .any),
        "Attributes to set before the record is populated."),
      .optional(
        "after", .entries(.mapping(.assignment), of: .any),
        "Attributes to set after all records are populated."),
    ])

  static let attributeSource = FormatMapping(
    "attributeSource", of: "the source of an attribute",
    [
      .optional("path", .path, "The value at this path in the item."),
      .optional("value", .json, "This value."),
    ], conditions: [.exactlyOne(["path", "value"])])

  static let linkConditions = FormatMapping(
    "linkConditions", of: "the conditions of links",
    [
      .optional(
        "leaveWhen", .predicate, default: "never",
        "If the item with the relationship matches, the relationship stays unchanged."),
      .optional(
        "emptyWhen", .predicate, default: "never",
        "If the item with the relationship matches, the relationship is emptied."),
      .optional(
        "linkWhere", .predicate, default: "always", "Only related records whose items match are linked."),
    ], conditions: [.atLeastOne(["leaveWhen", "emptyWhen", "linkWhere"])])

  package static let assignment = FormatMapping(
    "assignment", of: "a value that is set",
    [
      .optional("value", .json, "This value."),
      .optional(
        "countOf", .string,
        "The number of records in the relationship at this time. The attribute must be an integer."),
    ], conditions: [.exactlyOne(["value", "countOf"])])
}
