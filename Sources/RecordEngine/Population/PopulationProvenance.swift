package import JSONTree
package import RecordModel

/// The provenance of the records that one response populates: the items, values and rules that they come from.
///
/// Values refer to nodes of the response, whose pointers and byte ranges are determined on access.
package struct PopulationProvenance: Sendable {
  /// The response object; null for an empty body.
  package let document: JSONDocument
  /// The schema of the response, with the tweaks applied.
  package let schema: Schema
  /// The populated records, in the order in which their first items are read.
  package var records: [RecordProvenance] = []
  /// The deleted records.
  package var deletions: [DeletionProvenance] = []
}

/// The provenance of one record in one response.
package struct RecordProvenance: Sendable {
  /// The origin of the stored or new record to which the items belong.
  package enum Finding: Hashable, Sendable {
    /// A stored record with the key of the items.
    case fetched
    /// A new record.
    case created
    /// A new record of which only the key is known.
    case stub
    /// The record whose details were requested.
    case detail
    /// The stored child of the parent.
    case onlyChild
    /// One of several stored children of the parent, which the item leaves unchanged.
    case matchingChild
    /// A stored child of the parent that the marshaler has chosen.
    case chosenChild
  }

  /// The origin of the key of the items.
  package enum Key: Hashable, Sendable {
    /// Values of the items, by attribute.
    case attributes([PropertyName])
    /// The result of the representation, for an attribute.
    case computed(PropertyName)
    /// The result of the key injection hook, for an attribute.
    case injected(PropertyName)
    /// The parent, by the relationship that leads to it.
    case parent(RecordID?, PropertyName, isNamed: Bool)
    /// No key: the item is a record by itself.
    case none
  }

  package let record: RecordID
  package let entity: EntityName
  package let finding: Finding
  package let key: Key
  /// The items of the record, in the order of the response.
  package let items: [ItemProvenance]
  /// A Boolean value that indicates whether the stored values are at least as new as the items, so that these change
  /// nothing. Rule: `merge.unmodified`.
  package let isUnmodified: Bool
  /// The attributes, in the order of the model.
  package let attributes: [AttributeProvenance]
  /// The relationships that the response mentions on either side, in the order of the model.
  package let relationships: [RelationshipProvenance]
}

/// An item of the response, and what became of it when the duplicates of its record were settled.
package struct ItemProvenance: Sendable {
  /// The effect of an item on its record.
  package enum Role: Hashable, Sendable {
    /// The item populates the record.
    case effective
    /// The item provides the values that the effective one lacks. Rule: `merge.strategy`.
    case merged
    /// A hook or a marshaler has merged the item with others into a new dictionary.
    case mergedByHook
    /// The item sets nothing, because another one is effective.
    case superseded
    /// The item carries only the key.
    case reference
    /// The item repeats another one byte by byte.
    case repeated
  }

  package let node: JSONNode
  package let role: Role
}

/// The provenance of an attribute of a record in one response.
package struct AttributeProvenance: Sendable {
  /// The effect of the response on the attribute.
  package enum Effect: Hashable, Sendable {
    /// The attribute is part of the key, and has the value by which the record is identified.
    case identified
    /// The found value was converted and set.
    case set
    /// The found null cleared the attribute.
    case cleared
    /// The found null set the default value, because the attribute is required.
    case setToDefault
    /// The found null changed nothing, because of `null: keep`.
    case keptOverNull
    /// The found null changed nothing, because the attribute is required and has no default value.
    case nullForRequired
    /// The found value cannot be converted, and changed nothing.
    case unconvertible
    /// The found value is part of a key that does not identify the item, so it changed nothing. Rule: `request.detail`.
    case unusedKey
    /// No path was present in the item.
    case absent
    /// The items carry only the key of the record.
    case notInReference
    /// The stored record is at least as new as the item. Rule: `merge.unmodified`.
    case unmodified
    /// The dictionary of the item was stored. Rule: `dynamic.store`.
    case setToDictionary
    /// The marshaler set the value.
    case setByMarshaler
    /// The marshaler left the attribute unchanged.
    case leftByMarshaler
    /// The marshaler returned a value of another type, which changed nothing.
    case refusedFromMarshaler
  }

  package let name: PropertyName
  /// The paths that are tried in an item, in order.
  package let paths: [MappingPath]
  package let effect: Effect
  /// The found value; nil if no path was present.
  package let value: ValueProvenance?
  /// The values that other items of the record have for the attribute.
  package let superseded: [ValueProvenance]
}

/// A value that was found for an attribute.
package struct ValueProvenance: Sendable {
  /// The origin of the value.
  package enum Origin: Hashable, Sendable {
    /// A value of the item.
    case item
    /// Values of the item, gathered or counted by a path. The node is the container that the path passes through.
    case gathered
    /// The item itself, which is a scalar.
    case scalarItem
    /// The key of the item in a keyed collection. Rule: `mapping.keyed-collection`.
    case collectionKey
    /// The dictionary that the pre-population hook returned for the item. Rule: `population.hook`.
    case prePopulation
    /// The dictionary into which a hook or a marshaler merged several items.
    case mergedDictionary
    /// The marshaler, which returned it instead of the value of the item. Rule: `customize.attribute`.
    case marshaler
  }

  package let origin: Origin
  /// The value. It is in another document than the response unless the item contains it.
  package let node: JSONNode
  /// The path that was present; nil if no path led to the value.
  package let path: MappingPath?
  /// The position in the response: that of the value if the item contains it, otherwise that of the item. Nil if a hook
  /// created the item.
  package let position: JSONNode?
}

/// The provenance of a relationship of a record in one response.
package struct RelationshipProvenance: Sendable {
  /// A reference in an item of the record.
  package struct Link: Sendable {
    /// The position of the reference; nil if it is not in the response.
    package let position: JSONNode?
    /// The record that it leads to; nil if it leads to none, for example because no record has the key.
    package let record: RecordID?
  }

  /// A relationship of another record that leads to this one, and thereby sets the inverse.
  package struct Inverse: Sendable {
    package let owner: RecordID
    package let name: PropertyName
    package let position: JSONNode?
  }

  package let name: PropertyName
  /// The paths that are tried in an item, in order.
  package let paths: [MappingPath]
  /// The path that was present in the effective item; nil if none was.
  package let path: MappingPath?
  /// The position of the value at that path; nil if no path was present, or if the path gathers values.
  package let position: JSONNode?
  /// A Boolean value that indicates whether the item has a null for the relationship.
  package let isNull: Bool
  package let links: [Link]
  /// The parent, if the relationship is the key of the record. Rule: `relationships.key-is-parent`.
  package let parent: RecordID?
  package let inverses: [Inverse]
}

/// The reason why a response deleted a record.
package struct DeletionProvenance: Sendable {
  package enum Cause: Sendable {
    /// The item marks its record as deleted. Rule: `orphans.tombstone`.
    case tombstone(JSONNode)
    /// The response does not mention the record. Rule: `population.orphans`.
    case orphan
    /// The delete rule of a relationship of another deleted record.
    case cascade(owner: RecordID, relationship: PropertyName)
    /// The delete rule of a relationship that stores no link in the deleted record.
    case deleteRule
  }

  package let record: RecordID
  package let cause: Cause
}
