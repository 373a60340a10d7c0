extension Rule {
  static let predicate = [
    Rule(
      "predicate.logic", .new,
      "NOT binds tightest, then AND, then OR. A comparison is either true or false, and NOT inverts it."),
    Rule(
      "predicate.nil", .new,
      """
      Nil equals only nil, and is neither less nor greater than any value. A missing value is nil, and so is a
      value beyond a to-one that is nil.
      """),
    Rule(
      "predicate.number", .new,
      """
      Numbers compare by their exact values, regardless of type and number of digits; booleans are 1 and 0. A
      double has the value of its shortest text, so a stored 0.1 equals 0.1.
      """),
    Rule(
      "predicate.text", .new,
      """
      Strings compare by Unicode scalars; [c] ignores case, [d] ignores diacritics. A composed letter and a letter
      with a combining mark are different without [d].
      """),
    Rule(
      "predicate.part", .new,
      """
      CONTAINS, BEGINSWITH and ENDSWITH test for a part of a string. LIKE tests the whole string for a pattern, in
      which ? is one character and * is any number of characters. MATCHES tests the whole string for a regular
      expression. IN between two strings is CONTAINS with the operands swapped.
      """),
    Rule(
      "predicate.pattern", .new,
      """
      MATCHES takes time linear in the length of the string, whatever the server sends. LIKE takes time at most
      proportional to the product of the lengths of pattern and string. A regular expression with backreferences,
      look-around, atomic groups or possessive quantifiers could take longer; it is rejected when the predicate is
      parsed.
      """),
    Rule(
      "predicate.date", .new,
      "A string that is compared with a date is read as RFC 3339. A string in another format equals no date."),
    Rule(
      "predicate.kind", .new,
      """
      Two values whose kinds cannot be compared are unequal, and neither is less than the other. Comparing them is
      not an error.
      """),
    Rule(
      "predicate.list", .new,
      """
      IN is true for a value that equals an element of a list. BETWEEN is true for a value between two bounds,
      both included.
      """),
    Rule(
      "predicate.key-path", .new,
      "A key path follows any number of to-ones and yields a property of the record at the end."),
    Rule(
      "predicate.any", .new,
      """
      ANY is true if a member of a to-many satisfies the comparison, ALL if every member does, NONE if no member
      does. Without members, ANY is false, and ALL and NONE are true. Across several to-manys, a member that is
      reached in several ways counts once.
      """),
    Rule("predicate.count", .new, "@count after a to-many is the number of its members."),
    Rule(
      "predicate.sub-entity", .new,
      """
      A key in a predicate refers to a property of the record's own entity, because sub-entities may declare
      different properties with the same name. If the record's entity has no such property, the value is nil.
      """),
  ]
}
