/// The position of an element in the array of all elements of its kind, for example of an entity in
/// ``Schema/entities``.
///
/// It is as cheap as an integer, and the type system keeps the indices of different kinds apart.
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
/// The column of an attribute's value in the rows of a tree.
package typealias ColumnIndex = ElementIndex<AttributeValue?>
/// The position of a to-one relationship in the rows of a tree.
package typealias SlotIndex = ElementIndex<ToOneSlot>

/// A marker type for the elements that rows have for each to-one relationship of their tree.
package enum ToOneSlot {}

extension Array {
  @inlinable package subscript(index: ElementIndex<Element>) -> Element {
    _read { yield self[index.rawValue] }
    _modify { yield &self[index.rawValue] }
  }

  /// Accesses the element of an array that has one element for each element of another array.
  @inlinable package subscript<Other>(for index: ElementIndex<Other>) -> Element {
    _read { yield self[index.rawValue] }
    _modify { yield &self[index.rawValue] }
  }

  @inlinable package var elementIndices: LazyMapSequence<Range<Int>, ElementIndex<Element>> {
    indices.lazy.map { ElementIndex($0) }
  }

  /// The elements with their indices.
  @inlinable package var indexed: Zip2Sequence<LazyMapSequence<Range<Int>, ElementIndex<Element>>, Self> {
    zip(elementIndices, self)
  }

  /// The index of the next element that is appended.
  @inlinable package var nextIndex: ElementIndex<Element> { ElementIndex(count) }
}
