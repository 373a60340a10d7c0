import RecordModel

/// Facts about all items of a response together.
struct ItemSummary {
  /// One proto for each item of the response, in its order.
  var roots: [ProtoIndex] = []
  /// The entities that items were declared to be of which could be no record.
  var leftOut: Set<EntityIndex> = []
  /// The number of items that have been met, nested ones included.
  var count = 0
  /// A Boolean value that indicates whether some item is keyed by a parent.
  var hasParents = false
}
