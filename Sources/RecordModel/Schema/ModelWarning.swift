/// The codes of the warnings about a model.
package enum ModelWarning: String, CaseIterable, Sendable {
  /// An abstract entity without sub-entities.
  case abstractLeaf = "abstract-leaf"
  /// A condition for deleted records of an entity without a key.
  case deletedWhenWithoutKey = "deleted-when-without-key"
  /// An ignored key that a property reads.
  case ignoredMappedKey = "ignored-mapped-key"
  /// A key that is a relationship without an inverse.
  case keyWithoutInverse = "key-without-inverse"
  /// A relationship without an inverse.
  case noInverse = "no-inverse"
  /// A null policy that does not apply to a to-many relationship.
  case nullOfToMany = "null-of-to-many"
  /// A condition for items of a parent, of an entity that has none.
  case usedWhenOfRoot = "used-when-of-root"
}
