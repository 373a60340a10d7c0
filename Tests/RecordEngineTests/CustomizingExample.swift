// The example programs of the article on customizing. A test compares them with the article.
import RecordEngine

// Customizing begin
class Media: Record {
  override class var keyPathForResponseObject: MappingPath? { "data.media" }
  override class var representation: (any Representation)? { SnakeCase() }
  override class var marshaler: (any Marshaler)? { MediaMarshaler() }

  var title: String? { self["title"] }
  var rating: Int? { self["rating"] }
}

final class Video: Media {
  override class func represents(_ dictionary: JSONNode) -> Bool? {
    dictionary["kind"]?.string == "video"
  }
}
// Customizing end

// Customizing begin
/// Looks up properties under their names in snake case: `userName` under `user_name`.
struct SnakeCase: Representation {
  func additionalKeyPaths(for property: PropertyName, of entity: EntityName) -> [MappingPath] {
    let letters = property.rawValue.map { $0.isUppercase ? "_\($0.lowercased())" : "\($0)" }
    return [MappingPath(keys: [letters.joined()])]
  }
}
// Customizing end

// Customizing begin
struct MediaMarshaler: Marshaler {
  /// Converts the rating `"high"` to 5.
  func value(_ conversion: ValueConversion) -> AttributeValue? {
    guard conversion.attribute == "rating", conversion.rawValue.string == "high" else {
      return conversion.standardValue
    }
    return .integer(5)
  }

  /// Reads the title from the headline, if there is one.
  func attribute(_ name: PropertyName, of record: PopulatedRecord) -> AttributeDecision {
    guard name == "title", let headline = record.dictionary?["headline"]?["text"] else { return .standard }
    return .found(headline.value)
  }

  /// Links no hidden records. The links of a locked item stay unchanged.
  func relationship(
    _ name: PropertyName, of record: PopulatedRecord, links: [PopulatedRecord]?
  ) -> RelationshipDecision {
    if record.dictionary?["locked"]?.boolean == true { return .leave }
    guard let links else { return .standard }
    return .link(links.filter { $0.dictionary?["hidden"]?.boolean != true })
  }

  /// Keeps the dictionary with the higher version.
  func merge(_ duplicates: DuplicateItems) -> MergedDictionary {
    func version(_ item: JSONNode) -> Int64 { item["version"]?.number?.int64Value ?? 0 }
    return version(duplicates.other) > version(duplicates.first) ? .other : .first
  }

  /// Stores the number of tags.
  func didPopulate(_ record: PopulatingRecord) {
    record["tagCount"] = record.links(of: "tags").count
  }
}
// Customizing end

func mediaEntities() -> [EntityDescription] {
  [
    EntityDescription(
      "Media", primaryKey: "id",
      attributes: [
        AttributeDescription("id", .string), AttributeDescription("title", .string),
        AttributeDescription("rating", .int32), AttributeDescription("tagCount", .int32),
        AttributeDescription("shortText", .string),
      ],
      relationships: [RelationshipDescription("tags", toMany: "Tag", inverse: "media")]),
    EntityDescription("Video", parent: "Media"),
    EntityDescription(
      "Tag", primaryKey: "text", attributes: [AttributeDescription("text", .string)],
      relationships: [RelationshipDescription("media", toMany: "Media", inverse: "tags")]),
  ]
}

func plainContainer(server: any Server) throws -> PersistentContainer {
  let entities = mediaEntities()
  // Customizing begin
  let model = try ManagedObjectModel(entities: entities, representations: ["Media": SnakeCase()])
  let container = try PersistentContainer(
    model: model, configuration: .init(server: server, marshalers: ["Media": MediaMarshaler()]))
  // Customizing end
  return container
}

func newest(_ context: ManagedObjectContext, _ container: PersistentContainer) async throws -> [Media] {
  // Customizing begin
  var options = RequestOptions()
  options.mergeHook = { _ in .other }
  let media = try await container.request(Media.self, urn: "media", options: options, context: context)
  // Customizing end
  return media.records
}

// Customizing begin
let noteEntity = EntityDescription(
  "Note", primaryKey: "id", dictionaryAttribute: "raw",
  attributes: [AttributeDescription("id", .string), AttributeDescription("raw", .transformable)])

final class Note: Record {
  /// The value for a key in the note's dictionary.
  subscript(json key: String) -> JSONValue? {
    let raw: JSONValue? = self["raw"]
    return raw?[key]
  }
}
// Customizing end
