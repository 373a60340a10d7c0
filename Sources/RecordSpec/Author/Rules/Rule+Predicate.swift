extension Rule {
  static let predicate = [
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
      "predicate.pattern", .new,
      """
      MATCHES takes time linear in the text, whatever a server has sent, and LIKE at most the product of pattern and text. A
      regular expression that takes more is refused where the predicate is read: one with backreferences, look-around, atomic
      groups or possessive quantifiers.
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
    Rule(
      "predicate.key-path", .new,
      "A key path leads through to-ones, however many, to what the record at their end has."),
    Rule(
      "predicate.any", .new,
      """
      ANY holds if a member of a to-many satisfies the comparison, ALL if no member fails it, NONE if none satisfies it: over
      no members ANY is false, ALL and NONE are true. Behind several to-manys, a member that is reached in several ways counts
      once.
      """),
    Rule("predicate.count", .new, "@count behind a to-many is the number of its members."),
    Rule(
      "predicate.sub-entity", .new,
      "A key is the record's own property: what only some sub-entities have is nil for all others, whoever has one so named."
    ),
  ]
}
