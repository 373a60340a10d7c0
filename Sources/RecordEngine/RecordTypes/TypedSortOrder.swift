import RecordModel

/// The attributes to sort the records of a record type by, written with the property wrappers of the type.
///
/// One attribute is an order, and so is a list, the most significant attribute first:
///
/// ```swift
/// try context.fetch(Post.self, sortedBy: .descending(\.$stars))
/// try context.fetch(Post.self, sortedBy: [.ascending(\.$author.$name), .descending(\.$stars)])
/// ```
public struct TypedSortOrder<RecordType: Record>: Hashable, Sendable {
  /// The same order with names.
  public let sortDescriptors: [RecordSortDescriptor]

  /// Returns the order by an attribute, the smallest value first. Records without a value come before all others.
  public static func ascending<Value: FieldValue>(
    _ path: KeyPath<RecordType, FieldPath<Value>>
  ) -> TypedSortOrder { TypedSortOrder(path, isAscending: true) }

  /// Returns the order by an attribute, the largest value first. Records without a value come after all others.
  public static func descending<Value: FieldValue>(
    _ path: KeyPath<RecordType, FieldPath<Value>>
  ) -> TypedSortOrder { TypedSortOrder(path, isAscending: false) }

  private init<Value>(_ path: KeyPath<RecordType, FieldPath<Value>>, isAscending: Bool) {
    let keys = RecordType.prototype()[keyPath: path].keys
    sortDescriptors = [RecordSortDescriptor(keys.map { PropertyName($0) }, isAscending: isAscending)]
  }
}

extension TypedSortOrder: ExpressibleByArrayLiteral {
  /// Creates an order from others, the most significant one first.
  public init(arrayLiteral orders: TypedSortOrder...) { self.init(orders) }

  /// Creates an order from a list of others, the most significant one first.
  public init(_ orders: some Sequence<TypedSortOrder>) { sortDescriptors = orders.flatMap(\.sortDescriptors) }
}
