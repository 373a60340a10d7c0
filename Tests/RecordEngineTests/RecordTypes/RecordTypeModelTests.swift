import Foundation
import JSONTree
import RecordEngine
import RecordModel
import Testing

/// Models that are made from record types.
@Suite struct RecordTypeModelTests {
  @Test func typesBecomeEntities() throws {
    let model = try ManagedObjectModel(Shop.Product.self, Shop.Maker.self, Shop.Label.self)
    #expect(
      model.description == """
        Product (id) {id int64, title string?, stock int16, rank int16?, visits int64?, price decimal?, weight float?, \
        score double?, is_new boolean?, created date?, checksum binary?, token uuid?, page uri?, state string, \
        former_state string?, size transformable?, raw transformable?, maker → Maker?, labels → [Label]}
        Maker (id) {id string, name string?, country → Label?, products → [Product]}
        Label (name) {name string, products → [Product]}
        """)
    let product = try #require(model.entities.first)
    #expect(product.attributes.first { $0.name == "title" }?.from == ["name"])
    #expect(product.attributes.first { $0.name == "state" }?.defaultValue == "open")
    #expect(product.attributes.first { $0.name == "stock" }?.defaultValue == 0)
    #expect(product.relationships.map(\.inverse) == ["products", "products"])
    #expect(product.relationships.map(\.isOrdered) == [false, true])
  }

  class Media: Record {
    @Field("id", isPrimaryKey: true) var id: Int
    override class func represents(_ dictionary: JSONNode) -> Bool? { nil }
  }

  class Timed: Media { @Field("seconds") var seconds: Double? }

  final class Video: Timed {
    @Field("codec") var codec: String?
    override class func represents(_ dictionary: JSONNode) -> Bool? { dictionary["kind"]?.string == "video" }
  }

  final class Photo: Media {
    @Field("width") var width: Int?
    override class func represents(_ dictionary: JSONNode) -> Bool? { dictionary["kind"]?.string == "photo" }
  }

  @Test func superclassesBecomeParents() async throws {
    let model = try ManagedObjectModel(Media.self, Video.self, Photo.self) { entity in
      entity.isAbstract = entity.name == "Media"
    }
    #expect(
      model.description == """
        abstract Media (id) {id int64}
        Video: Media {seconds double?, codec string?}
        Photo: Media {width int64?}
        """)
    let body: JSONValue = [
      ["id": 1, "kind": "video", "seconds": 2.5, "codec": "av1"], ["id": 2, "kind": "photo", "width": 80],
    ]
    let container = try PersistentContainer(
      model: model, recordTypes: [Media.self, Video.self, Photo.self],
      configuration: .init(server: CannedServer(["media": body])))
    let media = try await container.request(Media.self, urn: "media", context: container.makeContext())
      .records
    #expect((media.first as? Video)?.seconds == 2.5)
    #expect((media.last as? Photo)?.width == 80)
    #expect(media.map(\.id) == [1, 2])
  }

  final class Lost: Record { @ToOne("owner", inverse: "things") var owner: Shop.Maker? }

  @Test func errorsNameTheProperties() {
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(Lost.self) }
    #expect(
      error?.description
        == "/entities/Lost/relationships/owner/to: the model lacks the record type 'Maker'; pass Maker.self, too"
    )
  }

  final class Label: Record { @Field("text") var text: String? }

  @Test func twoTypesOfOneNameAreAnError() throws {
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(Label.self, Shop.Label.self) }
    #expect(
      error?.problems.first?.description
        == "/recordTypes/Label: 2 record types have the name 'Label': RecordEngineTests.RecordTypeModelTests.Label, "
        + "RecordEngineTests.Shop.Label; rename all but one of them")
  }

  final class Visit: Record { @Field("id", isPrimaryKey: true) var id = UUID() }

  @Test func aPrimaryKeyHasNoInitialValue() throws {
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(Visit.self) }
    #expect(
      error?.description
        == "/recordTypes/Visit/id: the primary key 'id' of 'Visit' cannot have an initial value; "
        + "set it in each new record")
  }

  final class Ticket: Record {
    @Field("row", isPrimaryKey: true) var row: Int? = nil
    @Field("seat", isPrimaryKey: true, { $0.defaultValue = 1 }) var seat: Int?
  }

  /// A missing key is not read as the default value of its description.
  @Test func theDescriptionOfAPrimaryKeyHasADefaultValue() throws {
    let model = try ManagedObjectModel(Ticket.self)
    #expect(model.entities[0].primaryKey == ["row", "seat"])
    #expect(model.entities[0].attributes.map(\.defaultValue) == [nil, 1])
  }

  class Vehicle: Record {
    @Field("id", isPrimaryKey: true) var id: Int
    @ToOne("owner", inverse: "vehicles") var owner: Person?
    override class func configure(_ entity: inout EntityDescription) {
      entity.name = "Transport"
      entity.isAbstract = true
      entity.responseKeyPath = "vehicles"
    }
  }

  final class Bicycle: Vehicle {
    @Field("gears") var gears: Int?
    override class func configure(_ entity: inout EntityDescription) { entity.usedWhen = "gears > 0" }
  }

  final class Person: Record {
    @Field("id", isPrimaryKey: true) var id: Int
    @ToMany("vehicles", inverse: "owner") var vehicles: [Vehicle]
    override class func configure(_ entity: inout EntityDescription) { entity.name = "Owner" }
  }

  /// The names of entities differ from those of their types, and relationships and parents still find them.
  @Test func typesConfigureTheirEntities() async throws {
    let server = CannedServer([
      "vehicles": ["vehicles": [["id": 1, "gears": 7, "owner": ["id": 2]]]]
    ])
    let container = try PersistentContainer(
      recordTypes: [Bicycle.self, Vehicle.self, Person.self], configuration: .init(server: server))
    #expect(
      container.model.description == """
        Bicycle: Transport {gears int64?}
        abstract Transport (id) {id int64, owner → Owner?}
        Owner (id) {id int64, vehicles → [Transport]}
        """)
    let context = container.makeContext()
    let vehicles = try await container.request(Vehicle.self, urn: "vehicles", context: context).records
    #expect(vehicles.map { ($0 as? Bicycle)?.gears } == [7])
    #expect(vehicles.first?.owner?.vehicles == vehicles)
    #expect(vehicles.first?.owner?.entityName == "Owner")
  }

  @Test func theModelIsConfiguredAfterItsTypes() throws {
    let model = try ManagedObjectModel(Vehicle.self, Bicycle.self, Person.self) { entity in
      if entity.name == "Owner" { entity.name = "Person" }
      entity.isAbstract = false
    }
    #expect(model.entities.map(\.name) == ["Transport", "Bicycle", "Person"])
    #expect(model.entities.map(\.isAbstract) == [false, false, false])
    #expect(model.entities[0].relationships.map(\.destination) == ["Person"])
  }

  final class Mirrored: Record, CustomReflectable {
    @Field("text") var text: String?
    var customMirror: Mirror { Mirror(self, children: []) }
  }

  @Test func aTypeWithAMirrorOfItsOwnIsAnError() throws {
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(Mirrored.self) }
    #expect(
      error?.description
        == "/recordTypes/Mirrored: 'Mirrored' is CustomReflectable, which hides its property wrappers from the engine; "
        + "remove the conformance to CustomReflectable")
  }

  final class Parcel: Record {
    @Field("id", isPrimaryKey: true) var id: Int
    @Field("weight") var weight: Double
    @Field("color") var color: String?
  }

  @Test func aNewRecordNeedsItsRequiredAttributes() async throws {
    let server = CannedServer([
      "lacking": [["id": 1, "color": "red"]], "stub": [["id": 2]], "full": [["id": 3, "weight": 2.5]],
      "later": [["id": 3, "color": "blue"]],
    ])
    let container = try PersistentContainer(Parcel.self, configuration: .init(server: server))
    let context = container.makeContext()
    let failure = await #expect(throws: RequestFailure.self) {
      _ = try await container.request(Parcel.self, urn: "lacking", context: context)
    }
    #expect(failure?.primary.code == .saveError)
    // An item that carries only its key is a stub, and the stored value of a record stays.
    for urn in ["stub", "full", "later"] {
      _ = try await container.request(Parcel.self, urn: urn, context: context)
    }
    let parcels = try context.fetch(Parcel.self, sortedBy: .ascending(\.$id))
    #expect(parcels.map(\.id) == [2, 3])
    #expect(parcels.map { $0["weight"] as Double? } == [nil, 2.5])
    #expect(parcels.map(\.color) == [nil, "blue"])
  }

  final class Page: Record { @Field("id", isPrimaryKey: true) var id: Int? }

  @Test func anEntityCanHaveAnotherName() async throws {
    let model = try ManagedObjectModel(Page.self) { $0.name = "Sheet" }
    #expect(model.description == "Sheet (id) {id int64?}")
    let context = try PersistentContainer(model: model, recordTypes: [Page.self]).makeContext()
    #expect(try context.insert(Page.self).entityName == "Sheet")
  }

  final class Note: Record {
    @Field("id", isPrimaryKey: true) var id: Int
    @Field("date") var date: Date?
    override class var keyPathForResponseObject: MappingPath? { "data.notes" }
    override class var dateFormat: String? { "dd.MM.yyyy" }
  }

  @Test func declarationsOfTypesAreInTheModel() throws {
    let note = try #require(try ManagedObjectModel(Note.self).entities.first)
    #expect(note.responseKeyPath == "data.notes")
    #expect(note.dateFormat == "dd.MM.yyyy")
  }
}

/// Wrappers that do not fit a model.
@Suite struct RecordTypeCheckTests {
  final class Post: Record {
    @Field("stars") var stars: String?
    @Field("txet") var text: String?
    @Field("author") var author: Int?
    @Field("note") var note: String
    @Field("state") var state: Shop.State
    @Field("size") var size: Int16
    @ToOne("tags") var tag: Tag?
    @ToMany("author") var authors: [User]
    @ToOne("stars") var star: User?
    @ToOne("editor") var editor: User?
    @ToMany("tgas") var tags: [Tag]
  }

  final class User: Record { @Field("name") var name: String }

  final class Tag: Record {}

  static func model(_ required: Bool = true) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Post",
        attributes: [
          AttributeDescription("stars", .int64), AttributeDescription("text", .string),
          AttributeDescription("note", .string), AttributeDescription("state", .string, isOptional: false),
          AttributeDescription("size", .int32, isOptional: false),
        ],
        relationships: [
          RelationshipDescription("author", to: "User"), RelationshipDescription("tags", toMany: "Tag"),
          RelationshipDescription("editor", to: "Editor"),
        ]),
      EntityDescription(
        "User", primaryKey: "id",
        attributes: [
          AttributeDescription("id", .int64), AttributeDescription("name", .string, isOptional: !required),
        ]),
      EntityDescription("Editor", attributes: [AttributeDescription("name", .string)]),
      EntityDescription("Tag", attributes: [AttributeDescription("name", .string)]),
    ])
  }

  @Test func eachMistakeIsAnError() throws {
    let error = #expect(throws: ModelError.self) {
      try PersistentContainer(model: try Self.model(), recordTypes: [Post.self, User.self, Tag.self])
    }
    #expect(
      error?.problems.filter { $0.severity == .error }.map(\.description) == [
        "/recordTypes/Post/stars: 'stars' of 'Post' is int64, but the property has the type String; use Int64?",
        "/recordTypes/Post/txet: 'Post' has no attribute 'txet'; did you mean 'text'?",
        "/recordTypes/Post/author: 'author' of 'Post' is a relationship; use @ToOne or @ToMany",
        "/recordTypes/Post/note: 'note' of 'Post' is optional, but the property has the non-optional type String; "
          + "use String?, or add an initial value",
        "/recordTypes/Post/state: 'state' of 'Post' may have a value that the type State cannot represent; "
          + "use State?, or add an initial value",
        "/recordTypes/Post/size: 'size' of 'Post' may have a value that the type Int16 cannot represent; "
          + "use Int16?, or add an initial value",
        "/recordTypes/Post/tags: 'tags' of 'Post' is a to-many relationship; use @ToMany",
        "/recordTypes/Post/author: 'author' of 'Post' is a to-one relationship; use @ToOne",
        "/recordTypes/Post/stars: 'stars' of 'Post' is an attribute; use @Field",
        "/recordTypes/Post/editor: 'editor' of 'Post' leads to 'Editor', whose record type is Record, not User; "
          + "pass the record type of 'Editor' in the container's 'recordTypes'",
        "/recordTypes/Post/tgas: 'Post' has no relationship 'tgas'; did you mean 'tags'?",
      ])
  }

  class Medium: Record { @Field("title") var title: String }

  final class Film: Medium {}

  final class Review: Record { @ToOne("film") var film: Film? }

  /// The stub is a record of the sub-entity, and the property is declared by the parent's type.
  @Test func stubsOfSubEntitiesAreAWarning() throws {
    let model = try ManagedObjectModel(Medium.self, Film.self, Review.self) { entity in
      if entity.name == "Medium" {
        entity.attributes.append(AttributeDescription("id", .int64))
        entity.primaryKey = ["id"]
      }
    }
    #expect(
      model.warnings.map(\.description).filter { $0.hasPrefix("/recordTypes") } == [
        "/recordTypes/Medium/title: 'title' of 'Medium' has no value in a stub, and reading the property then stops "
          + "the program; use String?, or add an initial value"
      ])
  }

  @Test func stubsWithoutARequiredValueAreAWarning() throws {
    let container = try PersistentContainer(model: try Self.model(), recordTypes: [User.self])
    #expect(
      container.model.warnings.map(\.description).filter { $0.hasPrefix("/recordTypes") } == [
        "/recordTypes/User/name: 'name' of 'User' has no value in a stub, and reading the property then stops the "
          + "program; use String?, or add an initial value"
      ])
  }
}
