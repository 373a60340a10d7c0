/// The position of an element in the list that has one of its kind: of an entity in ``Schema/entities``, say.
///
/// It costs what an integer costs, and no kind of index can stand where another is meant.
@usableFromInline
package struct ElementIndex<Element>: Hashable, Comparable, Sendable {
  @usableFromInline package let rawValue: Int

  @inlinable package init(_ rawValue: Int) { self.rawValue = rawValue }

  @inlinable package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
  @inlinable package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// The index of an entity in ``Schema/entities``.
package typealias EntityIndex = ElementIndex<SchemaEntity>
/// The index of a relationship in ``Schema/relationships``.
package typealias RelationshipIndex = ElementIndex<SchemaRelationship>
/// The index of an attribute in ``SchemaEntity/attributes``.
package typealias AttributeIndex = ElementIndex<SchemaAttribute>
/// The index of an inheritance tree in ``Schema/trees``.
package typealias TreeIndex = ElementIndex<SchemaTree>
/// The place of an attribute's value in the rows of a tree.
package typealias ColumnIndex = ElementIndex<AttributeValue?>
/// The place of a to-one relationship in the rows of a tree.
package typealias SlotIndex = ElementIndex<ToOneSlot>

/// What rows have for each to-one relationship of their tree.
package enum ToOneSlot {}

extension Array {
  @inlinable package subscript(index: ElementIndex<Element>) -> Element {
    _read { yield self[index.rawValue] }
    _modify { yield &self[index.rawValue] }
  }

  /// An element of an array that has one for each element of another.
  @inlinable package subscript<Other>(for index: ElementIndex<Other>) -> Element {
    _read { yield self[index.rawValue] }
    _modify { yield &self[index.rawValue] }
  }

  @inlinable package var elementIndices: LazyMapSequence<Range<Int>, ElementIndex<Element>> {
    indices.lazy.map { ElementIndex($0) }
  }

  /// The elements, each with its index.
  @inlinable package var indexed: Zip2Sequence<LazyMapSequence<Range<Int>, ElementIndex<Element>>, Self> {
    zip(elementIndices, self)
  }

  /// The index of the next element to be appended.
  @inlinable package var nextIndex: ElementIndex<Element> { ElementIndex(count) }
}
