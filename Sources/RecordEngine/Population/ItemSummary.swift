import RecordModel

/// Facts about all items of a response.
struct ItemSummary {
  /// One proto for each item of the response, in its order.
  var roots: [ProtoIndex] = []
  /// The protos of items in other lists of the response, which are not in the result.
  var others: [ProtoIndex] = []
  /// The declared entities of items that could not become records.
  var leftOut: Set<EntityIndex> = []
  /// The number of items that have been read, including nested ones.
  var count = 0
  /// A Boolean value that indicates whether any item is identified by a parent.
  var hasParents = false
}
