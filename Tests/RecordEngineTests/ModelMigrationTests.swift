import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the comparison of the model in a file with a newer model. `MigrationTests` migrates files.
@Suite struct ModelMigrationTests {
  typealias Change = @Sendable (inout [EntityDescription]) -> Void

  /// A change of the model, and the outcome: `same`, `migrate`, or the reasons for the refusal.
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// A change that both versions have.
    var before: Change
    var change: Change
    var expected: [String]

    init(_ name: String, _ expected: String..., before: @escaping Change = { _ in }, change: @escaping Change)
    {
      (testDescription, self.expected, self.before, self.change) = (name, expected, before, change)
    }
  }

  // The indices of the entities in `model`.
  private static let (post, film, book, user, tag, picture) = (0, 1, 2, 3, 4, 5)
  /// The index of an entity that some cases append.
  private static let photo = 6

  private static func model() -> [EntityDescription] {
    [
      EntityDescription(
        "Post", primaryKey: "id",
        attributes: [
          AttributeDescription("id", .int32, isOptional: false), AttributeDescription("title", .string),
        ],
        relationships: [
          RelationshipDescription("author", to: "User", inverse: "posts"),
          RelationshipDescription("tags", toMany: "Tag", inverse: "posts"),
          RelationshipDescription("related", toMany: "Post"),
          RelationshipDescription("cover", to: "Picture", inverse: "post"),
        ]),
      EntityDescription(
        "Film", parent: "Post", attributes: [AttributeDescription("length", .int16)],
        relationships: [RelationshipDescription("place", to: "User")]),
      EntityDescription(
        "Book", parent: "Post", attributes: [AttributeDescription("length", .int16)],
        relationships: [RelationshipDescription("place", to: "User")]),
      EntityDescription(
        "User", primaryKey: "id",
        attributes: [AttributeDescription("id", .int32), AttributeDescription("name", .string)],
        relationships: [
          RelationshipDescription("posts", toMany: "Post", inverse: "author"),
          RelationshipDescription("favorite", to: "Post"),
        ]),
      EntityDescription(
        "Tag", primaryKey: "name", attributes: [AttributeDescription("name", .string)],
        relationships: [
          RelationshipDescription("posts", toMany: "Post", inverse: "tags"),
          RelationshipDescription("user", to: "User"),
        ]),
      EntityDescription(
        "Picture", primaryKey: "id", attributes: [AttributeDescription("id", .int32)],
        relationships: [RelationshipDescription("post", to: "Post", inverse: "cover")]),
    ]
  }

  static let cases: [Case] = [
    // The tables stay the same.
    Case("nothing changes", "same") { _ in },
    Case("types become wider, and properties optional", "same") {
      $0[post].attributes[1].isOptional = false
      $0[film].relationships[0].isOptional = false
    } change: {
      $0[post].attributes[1].isOptional = true
      $0[film].relationships[0].isOptional = true
      $0[post].attributes[0].type = .int64
      $0[film].attributes[0].type = .int32
    },
    Case("an abstract entity becomes concrete", "same") {
      $0[post].isAbstract = true
    } change: {
      $0[post].isAbstract = false
    },
    Case("an abstract entity stays abstract", "same") {
      $0[post].isAbstract = true
    } change: { _ in
    },
    Case("an entity becomes abstract", "'Book' became abstract, and may have records") {
      $0[book].isAbstract = true
    },
    Case("properties get identifiers", "same") {
      $0[post].attributes[1].renamingIdentifier = "headline"
      $0[post].relationships[0].renamingIdentifier = "writer"
      $0[user].renamingIdentifier = "Person"
    },

    // The tables change.
    Case("an abstract entity stays abstract, and a property is added", "migrate") {
      $0[post].isAbstract = true
    } change: {
      $0[user].attributes.append(AttributeDescription("nick", .string))
    },
    Case("properties have identifiers of the other kind, and a property is added", "migrate") {
      $0[user].attributes[1].renamingIdentifier = "favorite"
      $0[user].relationships[1].renamingIdentifier = "name"
      $0[user].attributes.append(AttributeDescription("nick", .string))
    },
    Case("entities swap their names", "migrate") {
      ($0[film].name, $0[film].renamingIdentifier) = ("Book", "Film")
      ($0[book].name, $0[book].renamingIdentifier) = ("Film", "Book")
    },
    Case("entities without properties swap their names and positions", "migrate") {
      for index in [film, book] { ($0[index].attributes, $0[index].relationships) = ([], []) }
    } change: {
      $0[film].renamingIdentifier = "Book"
      $0[book].renamingIdentifier = "Film"
    },
    Case("attributes swap their names", "migrate") {
      $0[user].attributes.append(AttributeDescription("nick", .string))
    } change: {
      ($0[user].attributes[1].name, $0[user].attributes[1].renamingIdentifier) = ("nick", "name")
      ($0[user].attributes[2].name, $0[user].attributes[2].renamingIdentifier) = ("name", "nick")
    },
    Case("relationships swap their names", "migrate") {
      $0[user].relationships.append(RelationshipDescription("other", to: "Post"))
    } change: {
      ($0[user].relationships[1].name, $0[user].relationships[1].renamingIdentifier) = ("other", "favorite")
      ($0[user].relationships[2].name, $0[user].relationships[2].renamingIdentifier) = ("favorite", "other")
    },
    Case("an attribute is renamed, and a new one has its former name", "migrate") {
      ($0[user].attributes[1].name, $0[user].attributes[1].renamingIdentifier) = ("nick", "name")
      $0[user].attributes.append(AttributeDescription("name", .string, renamingIdentifier: "fresh"))
    },
    Case("a relationship of a key is renamed", "migrate") {
      $0[picture].primaryKey = ["post"]
    } change: {
      $0[picture].primaryKey = ["article"]
      ($0[picture].relationships[0].name, $0[picture].relationships[0].renamingIdentifier) = (
        "article", "post"
      )
      $0[post].relationships[3].inverse = "article"
    },
    Case("an inherited relationship of a key is renamed", "migrate") {
      $0.append(EntityDescription("Photo", parent: "Picture", primaryKey: "post"))
    } change: {
      $0[photo].primaryKey = ["article"]
      ($0[picture].relationships[0].name, $0[picture].relationships[0].renamingIdentifier) = (
        "article", "post"
      )
      $0[post].relationships[3].inverse = "article"
    },
    Case("an order is added", "migrate") { $0[user].relationships[0].isOrdered = true },
    Case("a sibling loses a property of the same name", "migrate") {
      $0[book].attributes = []
      $0[book].relationships = []
    },
    Case("a sibling gets a property of the same name", "migrate") {
      $0[film].attributes.append(AttributeDescription("rating", .double))
      $0[film].relationships.append(RelationshipDescription("studio", to: "User"))
    } change: {
      for index in [film, book] {
        $0[index].attributes.append(AttributeDescription("pages", .int16))
        $0[index].relationships.append(RelationshipDescription("owner", to: "User"))
      }
      $0[book].attributes.append(AttributeDescription("rating", .double))
      $0[book].relationships.append(RelationshipDescription("studio", to: "User"))
    },
    Case("another tree loses a property of the same name", "migrate") {
      $0[user].attributes[1].name = "label"
      $0[post].attributes.append(AttributeDescription("name", .string))
      $0[user].relationships[1].name = "best"
      $0[post].relationships.append(RelationshipDescription("favorite", to: "Post"))
    },
    Case("the inverse of a to-one is removed", "migrate") {
      $0[user].relationships.remove(at: 0)
      $0[post].relationships[0].inverse = nil
    },
    Case("the inverse of a to-many is removed, which was a to-many", "migrate") {
      $0[tag].relationships.remove(at: 0)
      $0[post].relationships[1].inverse = nil
    },
    Case("the inverse of a to-one is removed, which was a to-one", "migrate") {
      $0[picture].relationships = []
      $0[post].relationships[3].inverse = nil
    },

    // Values would be lost, or it is not clear whose they are.
    Case(
      "the inverse of a to-many is removed, which was a to-one",
      "the inverse of 'User.posts' changed from 'author' to none"
    ) {
      $0[post].relationships.remove(at: 0)
      $0[user].relationships[0].inverse = nil
    },
    Case(
      "two relationships are no longer inverses",
      "the inverse of 'Post.tags' changed from 'posts' to none",
      "the inverse of 'Tag.posts' changed from 'tags' to none"
    ) {
      $0[post].relationships[1].inverse = nil
      $0[tag].relationships[0].inverse = nil
    },
    Case(
      "two relationships become inverses",
      "the inverse of 'Post.fans' changed from none to 'favorite'",
      "the inverse of 'User.favorite' changed from none to 'fans'"
    ) {
      $0[post].relationships.append(RelationshipDescription("fans", toMany: "User"))
    } change: {
      $0[post].relationships[4].inverse = "favorite"
      $0[user].relationships[1].inverse = "fans"
    },
    Case(
      "two relationships have the same former name",
      "both 'favorite' and 'best' of 'User' are renamed from the relationship 'favorite'"
    ) {
      $0[user].relationships.append(
        RelationshipDescription("best", to: "Post", renamingIdentifier: "favorite"))
    },
    Case(
      "two attributes have the same first name",
      "both 'nick' and 'alias' of 'User' are renamed from the attribute 'handle'"
    ) {
      ($0[user].attributes[1].name, $0[user].attributes[1].renamingIdentifier) = ("handle", "name")
    } change: {
      $0[user].attributes[1].name = "nick"
      $0[user].attributes.append(AttributeDescription("alias", .string, renamingIdentifier: "name"))
    },
    Case(
      "a new attribute has the later name of another one as its identifier",
      "both 'handle' and 'alias' of 'User' are renamed from the attribute 'handle'"
    ) {
      ($0[user].attributes[1].name, $0[user].attributes[1].renamingIdentifier) = ("handle", "name")
    } change: {
      $0[user].attributes.append(AttributeDescription("alias", .string, renamingIdentifier: "handle"))
    },
    Case(
      "a relationship gets another inverse",
      "the inverse of 'Post.author' changed from 'posts' to 'articles'"
    ) {
      $0[post].relationships[0].inverse = "articles"
      $0[user].relationships[0] = RelationshipDescription("articles", toMany: "Post", inverse: "author")
    },
    Case(
      "a required relationship is added", "'User.last' is new and required, and existing records have none"
    ) {
      $0[user].relationships.append(RelationshipDescription("last", to: "Post", isOptional: false))
    },
    Case(
      "an attribute replaces the relationship of a key",
      "the primary key of 'Picture' changed from 'post' to 'id'"
    ) {
      $0[picture].primaryKey = ["post"]
    } change: {
      $0[picture].primaryKey = ["id"]
    },
    Case("a to-one becomes a to-many", "'User.favorite' changed from to-one to to-many") {
      $0[user].relationships[1].isToMany = true
    },
    Case("a to-many becomes a to-one", "'Post.related' changed from to-many to to-one") {
      $0[post].relationships[2].isToMany = false
    },
    Case("an attribute becomes a relationship", "'User.name' changed from an attribute to a relationship") {
      $0[user].attributes.remove(at: 1)
      $0[user].relationships.append(RelationshipDescription("name", to: "Tag"))
    },
    Case(
      "properties move to the root", "'length' moved from 'Film' to 'Post'",
      "'place' moved from 'Film' to 'Post'"
    ) {
      $0[book].attributes = []
      $0[book].relationships = []
    } change: {
      $0[post].attributes += $0[film].attributes
      $0[post].relationships += $0[film].relationships
      $0[film].attributes = []
      $0[film].relationships = []
    },
    Case(
      "properties move to a sub-entity",
      "'title' moved from 'Post' to 'Film'", "'related' moved from 'Post' to 'Film'"
    ) {
      $0[film].attributes.append($0[post].attributes.remove(at: 1))
      $0[film].relationships.append($0[post].relationships.remove(at: 2))
    },
    Case(
      "properties that were renamed earlier stay beside those of the other kind with their first names",
      "migrate"
    ) {
      ($0[user].attributes[1].name, $0[user].attributes[1].renamingIdentifier) = ("label", "name")
      ($0[user].relationships[1].name, $0[user].relationships[1].renamingIdentifier) = ("best", "favorite")
    } change: {
      $0[user].attributes.append(AttributeDescription("favorite", .string))
      $0[user].relationships.append(RelationshipDescription("name", to: "Tag"))
    },
    Case(
      "properties that were renamed earlier move",
      "'headline' moved from 'Post' to 'Film'", "'similar' moved from 'Post' to 'Film'"
    ) {
      ($0[post].attributes[1].name, $0[post].attributes[1].renamingIdentifier) = ("headline", "title")
      ($0[post].relationships[2].name, $0[post].relationships[2].renamingIdentifier) = ("similar", "related")
    } change: {
      $0[film].attributes.append($0[post].attributes.remove(at: 1))
      $0[film].relationships.append($0[post].relationships.remove(at: 2))
    },
    Case(
      "properties that were renamed earlier change their kind",
      "'User.best' changed from a relationship to an attribute",
      "'User.label' changed from an attribute to a relationship"
    ) {
      ($0[user].attributes[1].name, $0[user].attributes[1].renamingIdentifier) = ("label", "name")
      ($0[user].relationships[1].name, $0[user].relationships[1].renamingIdentifier) = ("best", "favorite")
    } change: {
      $0[user].attributes = [
        $0[user].attributes[0], AttributeDescription("best", .string, renamingIdentifier: "favorite"),
      ]
      $0[user].relationships = [
        $0[user].relationships[0], RelationshipDescription("label", to: "Tag", renamingIdentifier: "name"),
      ]
    },
  ]

  @Test(arguments: cases) func outcome(value: Case) throws {
    var old = Self.model()
    value.before(&old)
    var new = old
    value.change(&new)
    let models = try (
      old: StoredModel(ManagedObjectModel(entities: old).schema),
      new: StoredModel(ManagedObjectModel(entities: new).schema)
    )
    let migration = ModelMigration(from: models.old, to: models.new) { _, _ in false }
    switch migration.outcome {
    case .same: #expect(value.expected == ["same"])
    case .migrate: #expect(value.expected == ["migrate"])
    case .refuse(let refusals): #expect(refusals == value.expected)
    }
  }
}
