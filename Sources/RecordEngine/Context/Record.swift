public import JSONTree
public import RecordModel

/// A record of a context, NSManagedObject's and MMRecord's place in one class.
///
/// Subclass it to give an entity typed properties; an entity without a class of its own has plain records.
/// The subclass is bound to the entity whose class, or else name, is its own (rule `model.class-name`).
///
/// ```swift
/// final class Post: Record {
///   var text: String? {
///     get { self["text"] }
///     set { self["text"] = newValue }
///   }
///   var user: User? { self["user"] }
///   var tags: [Record] { self["tags"] }
/// }
/// ```
///
/// What the type itself says of its entity goes over what the model says:
///
/// ```swift
/// final class Video: Media {
///   override class var keyPathForResponseObject: MappingPath? { "data.videos" }
///   override class func represents(_ dictionary: JSONNode) -> Bool? { dictionary["kind"]?.string == "video" }
/// }
/// ```
///
/// A record belongs to the isolation of its context. There is one object per record and context
/// (rule `context.identity-map`). Naming a property that the entity does not have is a programming error and stops the
/// program, as in Core Data; so does setting an attribute to a value of another type or out of its range, and linking to a
/// record of another container, or to one that another context has made and not saved.
open class Record {
  /// What names the record in its store. (`id` is left to the attributes of subclasses.)
  ///
  /// It stays the same, with one exception: a record that a response has left unsaved, and that somebody else has saved
  /// meanwhile, becomes the saved one. If the context has an object of that already, this one is deleted instead.
  public internal(set) var recordID: RecordID
  public let context: ManagedObjectContext
  /// What it was handed out with, and at which position there.
  var batch: FaultBatch?
  var batchPosition = 0

  /// The address of the record's details; nil if it has none. As the entity's
  /// ``EntityDescription/detailURN`` says, unless a subclass knows better. Rule: `request.detail`.
  open var recordDetailURN: String? { context.detailURN(of: recordID) }

  /// For contexts alone: records come from requests, fetches and ``ManagedObjectContext``.
  public required init(id: RecordID, context: ManagedObjectContext) {
    recordID = id
    self.context = context
  }

  // MARK: What the type says of its entity

  /// Where in a response object the items are; nil for what the model says. Rule: `response.key-path`.
  open class var keyPathForResponseObject: MappingPath? { nil }

  /// How strings of dates are read where the attribute does not say; nil for what the model says.
  /// Rule: `values.date.format`.
  open class var dateFormat: String? { nil }

  /// Whether an item of the parent entity is one of this type's; nil for what ``EntityDescription/usedWhen`` says. It is
  /// asked of types alone whose entity has a parent; one that inherits from such a type has to say it for itself.
  /// Rule: `subentity.choose`.
  open class func represents(_ dictionary: JSONNode) -> Bool? { nil }

  /// Names, paths and key that items have; nil for those of the model. Rule: `customise.representation`.
  open class var representation: (any Representation)? { nil }

  /// How records are populated; nil for what the engine does. Rules: `customise.*`.
  open class var marshaler: (any Marshaler)? { nil }
}

extension Record {
  /// The entity of the record; nil once it is deleted.
  public var entityName: EntityName? { context.row(recordID).map { context.schema.entities[$0.entity].name } }

  /// Whether the record is no longer there: deleted here or elsewhere, or made here and rolled back.
  public var isDeleted: Bool { context.row(recordID) == nil }

  /// Whether the record was made here and is not saved yet.
  public var isInserted: Bool { context.row(recordID) != nil && context.graph.storedRow(recordID) == nil }

  /// Whether the record was there before and has unsaved changes; links that others have got with it count.
  public var isUpdated: Bool { !isInserted && !changedProperties.isEmpty }

  /// Whether the record was made, changed or deleted here and that is not saved yet.
  public var hasChanges: Bool {
    isInserted || context.graph.isDeleted(recordID) || !changedProperties.isEmpty
  }

  /// The properties that are other than the parent or the store has them, in the model's order, attributes first. Of a
  /// new record: all that have a value.
  public var changedProperties: [PropertyName] { context.changedProperties(of: recordID) }

  /// The value of an attribute: nil if it has none, if it is of another type than is asked for, or if the record is
  /// deleted.
  ///
  /// Setting it to a value of another type than the attribute's, or out of its range (70,000 for an `int16`), stops the
  /// program.
  public subscript<Value: AttributeConvertible>(name: PropertyName) -> Value? {
    get { value(of: name).flatMap(Value.init) }
    set { setValue(newValue?.attributeValue, of: name) }
  }

  /// The record at the other end of a to-one relationship.
  public subscript<Other: Record>(name: PropertyName) -> Other? {
    get { context.toOne(name, of: recordID).flatMap { context.record(with: $0) as? Other } }
    set { context.setToOne(name, of: recordID, to: newValue.map(context.id)) }
  }

  /// The records of a to-many relationship: in their order if it is ordered, else oldest first.
  public subscript<Other: Record>(name: PropertyName) -> [Other] {
    get { context.records(with: context.toMany(name, of: recordID)).compactMap { $0 as? Other } }
    set {
      // Members that are not of the type are not shown, and are not taken out.
      var hidden: [Record] = []
      if Other.self != Record.self {
        hidden = context.records(with: context.toMany(name, of: recordID)).filter { !($0 is Other) }
      }
      context.setToMany(name, of: recordID, to: hidden.map(\.recordID) + newValue.map(context.id))
    }
  }

  /// Adds a record to a to-many relationship, without a look at the others: cheaper than appending to the list. An
  /// ordered one has it last; one that is there already keeps its place.
  public func add(_ other: Record, to name: PropertyName) {
    context.addMember(context.id(of: other), to: name, of: recordID)
  }

  /// Takes a record out of a to-many relationship, without a look at the others.
  public func remove(_ other: Record, from name: PropertyName) {
    context.removeMember(context.id(of: other), from: name, of: recordID)
  }

  /// The value of an attribute whatever its type.
  public func value(of name: PropertyName) -> AttributeValue? { context.value(name, of: recordID) }

  /// Sets an attribute. A value of another type, or out of its range, stops the program. A relative URL stands alone
  /// from then on, as the text that it and its base make.
  public func setValue(_ value: AttributeValue?, of name: PropertyName) {
    context.setValue(value, name, of: recordID)
  }
}
