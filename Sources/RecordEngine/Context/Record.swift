public import JSONTree
public import RecordModel

/// A record of a context. It corresponds to both NSManagedObject and MMRecord.
///
/// Subclass it to give an entity typed properties. An entity without a subclass has plain records. A subclass belongs
/// to the entity whose class name, or else name, is the name of the subclass (rule `model.class-name`).
///
/// ```swift
/// final class Post: Record {
///   @Field("id", isPrimaryKey: true) var id: Int
///   @Field("text") var text: String?
///   @ToOne("user", inverse: "posts") var user: User?
/// }
/// ```
///
/// See <doc:TypedProperties>. The subscripts read and set properties by name, for entities without a subclass:
/// `record["text"] as String?`.
///
/// The type properties and methods of a subclass take precedence over the model:
///
/// ```swift
/// final class Video: Media {
///   override class var keyPathForResponseObject: MappingPath? { "data.videos" }
///   override class func represents(_ dictionary: JSONNode) -> Bool? { dictionary["kind"]?.string == "video" }
/// }
/// ```
///
/// Use a record only in the isolation of its context. A context has one object for each record (rule
/// `context.identity-map`).
///
/// These programming errors stop the program:
///
/// - naming a property that no entity of the record's inheritance tree has, as in Core Data
/// - setting an attribute to a value of another type or out of its range
/// - linking to a record of another container, to one that another context has inserted and not saved, or to one that
///   the relationship cannot lead to
open class Record {
  /// The identifier of the record in its store. (`id` is left for the attributes of subclasses.)
  ///
  /// The identifier of an unsaved record changes if another record has its key and this one becomes that record.
  /// Rule: `context.conflict.key`.
  public var recordID: RecordID {
    context.applySuccessors()
    return knownID
  }
  /// The identifier as of the last use of the context. In a parent, the record may have become another one since then.
  var knownID: RecordID
  /// The context that the record belongs to.
  public let context: ManagedObjectContext
  /// The records that were returned together with this one. `batchPosition` is the position of this record among them.
  var batch: FaultBatch?
  var batchPosition = 0

  /// The address of the record's details; nil if it has none. By default, the entity declares it with
  /// ``EntityDescription/detailURN``. Rule: `request.detail`.
  open var recordDetailURN: String? { context.detailURN(of: recordID) }

  /// Creates the object of a record. Only contexts call this initializer. To obtain a record, use a request, a fetch or
  /// ``ManagedObjectContext``.
  public required init(id: RecordID, context: ManagedObjectContext) {
    knownID = id
    self.context = context
  }

  // MARK: Mapping of the entity

  /// Changes the description of the entity in a model that is made from record types, for example to make it abstract.
  ///
  /// ```swift
  /// override class func configure(_ entity: inout EntityDescription) {
  ///   entity.deletedWhen = "removed == YES"
  /// }
  /// ```
  ///
  /// The description already contains the properties. If you change its name, relationships still find the entity by
  /// its type. A subclass inherits the override of its superclass, so override it again for the entity of the subclass.
  /// The method is not called for a model from another source.
  open class func configure(_ entity: inout EntityDescription) {}

  /// The key path of the items in a response object; nil to use that of the model. Rule: `response.key-path`.
  open class var keyPathForResponseObject: MappingPath? { nil }

  /// The format of date strings for attributes without a format of their own; nil to use that of the model.
  /// Rule: `values.date.format`.
  open class var dateFormat: String? { nil }

  /// Returns whether an item of the parent entity belongs to this type; nil to use ``EntityDescription/usedWhen``.
  ///
  /// It is called only for types whose entity has a parent. A subclass inherits the override of its superclass, so
  /// override it again for the entity of the subclass. Rule: `subentity.choose`.
  open class func represents(_ dictionary: JSONNode) -> Bool? { nil }

  /// The names, key paths and primary key of items; nil to use those of the model. Rule: `customize.representation`.
  open class var representation: (any Representation)? { nil }

  /// The marshaler that populates the records; nil to use the default population. Rules: `customize.*`.
  open class var marshaler: (any Marshaler)? { nil }
}

extension Record {
  /// The name of the record's entity; nil if the record is deleted.
  public var entityName: EntityName? { context.row(recordID).map { context.schema.entities[$0.entity].name } }

  /// A Boolean value that indicates whether the record no longer exists. It was deleted in this or another context, or
  /// inserted in this one and rolled back.
  public var isDeleted: Bool { context.row(recordID) == nil }

  /// A Boolean value that indicates whether the record was inserted in this context and is not saved yet.
  public var isInserted: Bool { context.row(recordID) != nil && context.graph.storedRow(recordID) == nil }

  /// A Boolean value that indicates whether the record existed before and has unsaved changes, including links that
  /// were set from other records.
  public var isUpdated: Bool { !isInserted && !changedProperties.isEmpty }

  /// A Boolean value that indicates whether the record was inserted, changed or deleted in this context, and this is
  /// not saved yet.
  public var hasChanges: Bool {
    isInserted || context.graph.isDeleted(recordID) || !changedProperties.isEmpty
  }

  /// The properties that differ from the parent or the store, in the model's order, attributes first. For a new record,
  /// all properties that have a value.
  public var changedProperties: [PropertyName] { context.changedProperties(of: recordID) }

  /// Accesses the value of an attribute. The value is nil if the attribute has none or one of another type, or if the
  /// record is deleted.
  ///
  /// Setting a value of another type, or out of the attribute's range (70,000 for an `int16`), stops the program.
  public subscript<Value: AttributeConvertible>(name: PropertyName) -> Value? {
    // Inlinable so that the conversion is specialized for the type.
    @inlinable
    get {
      guard let value = value(of: name) else { return nil }
      return Value(value)
    }
    set { setValue(newValue?.attributeValue, of: name) }
  }

  /// Accesses the destination of a to-one relationship; nil if there is none, or if it is not of the requested type.
  public subscript<Other: Record>(name: PropertyName) -> Other? {
    get { context.toOne(name, of: recordID).flatMap { context.record(with: $0) as? Other } }
    set { context.setToOne(name, of: recordID, to: newValue.map(context.id)) }
  }

  /// Accesses the members of a to-many relationship. They have their own order if the relationship is ordered, and are
  /// sorted by age otherwise, the oldest first.
  ///
  /// The list contains only members of the requested type. Setting it keeps the members of other types.
  public subscript<Other: Record>(name: PropertyName) -> [Other] {
    get { context.records(with: context.toMany(name, of: recordID)).compactMap { $0 as? Other } }
    set {
      // The list does not show members of other types, so setting it must not remove them.
      var hidden: [Record] = []
      if Other.self != Record.self {
        hidden = context.records(with: context.toMany(name, of: recordID)).filter { !($0 is Other) }
      }
      context.setToMany(name, of: recordID, to: hidden.map(\.recordID) + newValue.map(context.id))
    }
  }

  /// Adds a record to a to-many relationship without reading the other members, which is cheaper than appending to the
  /// list. In an ordered relationship, a new member comes last, and an existing one keeps its position.
  public func add(_ other: Record, to name: PropertyName) {
    context.addMember(context.id(of: other), to: name, of: recordID)
  }

  /// Removes a record from a to-many relationship without reading the other members.
  public func remove(_ other: Record, from name: PropertyName) {
    context.removeMember(context.id(of: other), from: name, of: recordID)
  }

  /// Returns the value of an attribute of any type; nil if it has none, or if the record is deleted.
  public func value(of name: PropertyName) -> AttributeValue? { context.value(name, of: recordID) }

  /// Sets the value of an attribute. A value of another type, or out of the attribute's range, stops the program. A
  /// relative URL is stored as the absolute URL that it and its base form.
  public func setValue(_ value: AttributeValue?, of name: PropertyName) {
    context.setValue(value, name, of: recordID)
  }
}
