import JSONTree
import RecordModel
import Testing

/// Models with one mistake each, and the exact messages.
@Suite struct ModelProblemTests {
  struct Mistake: CustomTestStringConvertible, Sendable {
    var name: String
    var entities: [EntityDescription]
    var problems: [String]
    var testDescription: String { name }

    init(_ name: String, _ problems: String..., entities: [EntityDescription]) {
      self.name = name
      self.problems = problems
      self.entities = entities
    }
  }

  static func problems(_ entities: [EntityDescription]) -> [String] {
    do {
      let model = try ManagedObjectModel(entities: entities)
      return model.warnings.map(text)
    } catch {
      return error.problems.map(text)
    }
  }

  static func text(_ problem: ModelProblem) -> String {
    "\(problem.severity.rawValue) \(problem.code) \(problem.path): \(problem.message)"
      + (problem.advice.map { " (\($0))" } ?? "")
  }

  static let id = AttributeDescription("id", .string)

  static func attributes(_ name: String, _ count: Int) -> [AttributeDescription] {
    (1...count).map { AttributeDescription(PropertyName("\(name)\($0)"), .string) }
  }

  static let columns =
    "an attribute or a to-one relationship takes one column, a to-one relationship with an ordered inverse two; "
    + "move some to their own entity or into a transformable attribute"

  static func user(_ relationships: RelationshipDescription...) -> EntityDescription {
    EntityDescription("User", primaryKey: "id", attributes: [id], relationships: relationships)
  }

  static func post(_ relationships: RelationshipDescription...) -> EntityDescription {
    EntityDescription("Post", primaryKey: "id", attributes: [id], relationships: relationships)
  }

  static let mistakes: [Mistake] = [
    Mistake("no entities", "error no-entities /entities: the model has no entities", entities: []),
    Mistake(
      "an invalid name",
      "error invalid-name /entities/My Post: 'My Post' is not a valid name for an entity (use letters, digits and '_', and do not start with a digit)",
      entities: [EntityDescription("My Post", attributes: [id])]),
    Mistake(
      "an entity twice", "error duplicate-entity /entities/User: duplicate entity 'User'",
      entities: [user(), user()]),
    Mistake(
      "an unknown parent",
      "error unknown-parent /entities/Admin/parent: unknown entity 'Usr' (did you mean 'User'?)",
      entities: [user(), EntityDescription("Admin", parent: "Usr")]),
    Mistake(
      "more columns than a store has",
      "error too-many-columns /entities/Wide: 'Wide' needs 1997 columns in a store; at most 1996 are allowed (\(columns))",
      entities: [EntityDescription("Wide", attributes: attributes("a", 1997))]),
    Mistake(
      "as many columns as a store has",
      entities: [
        EntityDescription("Wide", attributes: attributes("a", 1995)),
        EntityDescription("Sub", parent: "Wide", attributes: attributes("b", 1)),
        EntityDescription("Other", attributes: attributes("a", 1996)),
      ]),
    Mistake(
      "sub-entities that need too many columns together",
      "error too-many-columns /entities/Wide: 'Wide' and its sub-entities need 2001 columns in a store; at most 1996 are allowed (\(columns))",
      entities: [
        EntityDescription("One", parent: "Wide", attributes: attributes("a", 1000)),
        EntityDescription("Two", parent: "Wide", attributes: attributes("a", 1000)),
        EntityDescription("Wide", attributes: [id]),
      ]),
    Mistake(
      "to-ones whose inverses are ordered, which take two columns",
      "error too-many-columns /entities/Wide: 'Wide' needs 1998 columns in a store; at most 1996 are allowed (\(columns))",
      entities: [
        EntityDescription(
          "Wide", attributes: attributes("a", 1995),
          relationships: [
            RelationshipDescription("first", to: "User", inverse: "firsts"),
            RelationshipDescription("second", to: "User", inverse: "seconds"),
          ]),
        user(
          RelationshipDescription("firsts", toMany: "Wide", inverse: "first"),
          RelationshipDescription("seconds", toMany: "Wide", inverse: "second", isOrdered: true)),
      ]),
    Mistake(
      "a cycle of parents",
      "error parent-cycle /entities/A/parent: circular inheritance: 'A', 'B' (an entity cannot be its own ancestor)",
      entities: [EntityDescription("A", parent: "B"), EntityDescription("B", parent: "A")]),
    Mistake(
      "an unknown destination",
      "error unknown-destination /entities/Post/relationships/user/to: unknown entity 'Usr' (did you mean 'User'?)",
      entities: [post(RelationshipDescription("user", to: "Usr")), user()]),
    Mistake(
      "an unknown inverse",
      "error unknown-inverse /entities/Post/relationships/user/inverse: 'User' has no relationship 'post' (did you mean 'posts'?)",
      entities: [
        post(RelationshipDescription("user", to: "User", inverse: "post")),
        user(RelationshipDescription("posts", toMany: "Post", inverse: "user")),
      ]),
    Mistake(
      "an inverse that does not point back",
      "error inverse-mismatch /entities/Post/relationships/user/inverse: 'User.posts' is not the inverse: it has no inverse (write 'inverse: user' in 'User.posts')",
      entities: [
        post(RelationshipDescription("user", to: "User", inverse: "posts")),
        user(RelationshipDescription("posts", toMany: "Post")),
      ]),
    Mistake(
      "an inverse that is an attribute",
      "error unknown-inverse /entities/Post/relationships/user/inverse: the inverse must be a relationship, and 'id' is an attribute of 'User'",
      entities: [post(RelationshipDescription("user", to: "User", inverse: "id")), user()]),
    Mistake(
      "an inverse that leads elsewhere",
      "error inverse-mismatch /entities/Post/relationships/user/inverse: the destination of the inverse 'User.friends' is 'User', not 'Post'",
      entities: [
        post(RelationshipDescription("user", to: "User", inverse: "friends")),
        user(RelationshipDescription("friends", toMany: "User", inverse: "friends")),
      ]),
    Mistake(
      "a list of several entities, one of which has no condition",
      "error sideloaded /entities/User/sideloaded/included: no item of 'included' can become a 'Post', because 'Post' has no 'usedWhen' (write the condition of its items, such as 'usedWhen: type == \"Post\"')",
      entities: [
        EntityDescription(
          "User", primaryKey: "id", sideloaded: [SideloadedItems("included", "Post", "Tag")], attributes: [id]
        ),
        EntityDescription("Post", primaryKey: "id", attributes: [id]),
        EntityDescription("Tag", primaryKey: "id", usedWhen: "type == 'tag'", attributes: [id]),
      ]),
    Mistake(
      "a list without an entity",
      "error sideloaded /entities/User/sideloaded/included: no entity for the items of 'included' (write an entity, or a list of entities with 'usedWhen')",
      entities: [
        EntityDescription(
          "User", primaryKey: "id", sideloaded: [SideloadedItems("included")], attributes: [id])
      ]),
    Mistake(
      "null values with content",
      "error null-values /entities/User/nullValues: [1] cannot mean null (write strings, numbers, Booleans, [] or {})",
      entities: [EntityDescription("User", primaryKey: "id", nullValues: ["", [1]], attributes: [id])]),
    Mistake(
      "a key that is no property",
      "error unknown-key-property /entities/User/primaryKey: 'User' has no property 'idd' (did you mean 'id'?)",
      entities: [EntityDescription("User", primaryKey: "idd", attributes: [id])]),
    Mistake(
      "a key that is a to-many",
      "error to-many-key /entities/User/primaryKey: 'friends' is a to-many relationship, and only a to-one relationship can be a key",
      entities: [
        EntityDescription(
          "User", primaryKey: "friends",
          relationships: [RelationshipDescription("friends", toMany: "User", inverse: "friends")])
      ]),
    Mistake(
      "a relationship in a composite key",
      "error relationship-in-composite-key /entities/Line/primaryKey/1: 'order' is a relationship, and a key of several properties can only contain attributes (use the relationship as the whole key, or an attribute that stores the id, such as one with 'from: \"@parent.id\"')",
      entities: [
        EntityDescription(
          "Line", primaryKey: "id", "order", attributes: [id],
          relationships: [RelationshipDescription("order", to: "Order", inverse: "lines")]),
        EntityDescription(
          "Order", primaryKey: "id", attributes: [id],
          relationships: [RelationshipDescription("lines", toMany: "Line", inverse: "order")]),
      ]),
    Mistake(
      "keys in a circle",
      "error key-cycle /entities/A/primaryKey: circular keys: 'A' by 'B' by 'A' (use an attribute as the key of one of them)",
      entities: [
        EntityDescription(
          "A", primaryKey: "b",
          relationships: [
            RelationshipDescription("b", to: "B", inverse: "back"),
            RelationshipDescription("c", to: "B", inverse: "a"),
          ]),
        EntityDescription(
          "B", primaryKey: "a",
          relationships: [
            RelationshipDescription("a", to: "A", inverse: "c"),
            RelationshipDescription("back", to: "A", inverse: "b"),
          ]),
      ]),
    Mistake(
      "a property twice",
      "error duplicate-property /entities/User/relationships/id: duplicate property 'id' in 'User'",
      entities: [user(RelationshipDescription("id", to: "User"))]),
    Mistake(
      "a property that is inherited",
      "error duplicate-property /entities/Admin/attributes/id: 'Admin' already inherits 'id' from 'User' (remove it here; a sub-entity has the properties of its ancestors)",
      entities: [user(), EntityDescription("Admin", parent: "User", attributes: [id])]),
    Mistake(
      "a default of another kind",
      "error default-value /entities/User/attributes/age/default: expected an integer from -2147483648 to 2147483647, found string \"x\"",
      entities: [EntityDescription("User", attributes: [AttributeDescription("age", .int32, default: "x")])]),
    Mistake(
      "an invalid path",
      "error mapping-path /entities/User/attributes/name/from: missing key before '.'",
      entities: [
        EntityDescription("User", attributes: [AttributeDescription("name", .string, from: ["a..b"])])
      ]),
    Mistake(
      "a format of no date",
      "error format-of-no-date /entities/User/attributes/id/format: 'id' is string, and only dates have a format (make its type 'date', or remove the format)",
      entities: [
        EntityDescription("User", attributes: [AttributeDescription("id", .string, format: "iso8601")])
      ]),
    Mistake(
      "an order of a to-one",
      "error only-for-to-many /entities/Post/relationships/user/ordered: 'ordered' is only allowed for to-many relationships, and 'user' is to-one (write 'toMany: User', or remove it)",
      "warning no-inverse /entities/Post/relationships/user: 'user' has no inverse, so 'User' does not change with it (declare a relationship in 'User' and name it as 'inverse')",
      entities: [post(RelationshipDescription("user", to: "User", isOrdered: true)), user()]),
    Mistake(
      "an unknown modification attribute",
      "error unknown-attribute /entities/User/modificationAttribute: 'User' has no attribute 'idx' (did you mean 'id'?)",
      entities: [EntityDescription("User", primaryKey: "id", modificationAttribute: "idx", attributes: [id])]),
    Mistake(
      "ignored keys without text, and ignored keys that are read",
      "error empty-ignored-key /entities/User/ignores/1: the ignored key is empty (write a key, or a pattern such as '*_url')",
      "warning ignored-mapped-key /entities/User/ignores/2: 'id' reads the key 'id', so it is never ignored (remove it from 'ignores', or remove the property)",
      "warning ignored-mapped-key /entities/Admin/ignores/0: 'id' reads the key 'id', so it is never ignored (remove it from 'ignores', or remove the property)",
      "warning ignored-mapped-key /entities/Admin/ignores/1: 'level' reads the key 'rights.level', so it is never ignored (remove it from 'ignores', or remove the property)",
      entities: [
        EntityDescription("User", ignores: ["*", " ", "id", "name", "rights.level", "ID"], attributes: [id]),
        EntityDescription(
          "Admin", parent: "User", ignores: ["id", "rights.level", "rights", "level"],
          attributes: [
            AttributeDescription(
              "level", .string, from: [["rights", "level"]].map(MappingPath.init(keys:)), usesOwnName: false)
          ]),
        EntityDescription("Guest", parent: "User", ignores: ["rights.level"]),
      ]),
    Mistake(
      "a null policy that does not apply to a to-many",
      "warning null-of-to-many /entities/User/relationships/replaced/assignment: 'null: keep' of the entity does not apply to the to-many relationship 'replaced': a null clears it (write 'null: keep' only for the attributes and to-one relationships that need it)",
      entities: [
        EntityDescription(
          "User", null: .keep, attributes: [id],
          relationships: [
            RelationshipDescription("replaced", toMany: "Post", inverse: "a", assignment: .replace),
            RelationshipDescription("added", toMany: "Post", inverse: "b"),
          ]),
        EntityDescription(
          "Post", null: .clear, attributes: [id],
          relationships: [
            RelationshipDescription("a", to: "User", inverse: "replaced"),
            RelationshipDescription("b", to: "User", inverse: "added"),
            RelationshipDescription("c", toMany: "Tag", inverse: "d", assignment: .replace),
          ]),
        EntityDescription(
          "Tag",
          relationships: [RelationshipDescription("d", toMany: "Post", inverse: "c", assignment: .replace)]),
      ]),
    Mistake(
      "a key without inverse is a warning",
      "warning no-inverse /entities/Counts/relationships/user: 'user' has no inverse, so 'User' does not change with it (declare a relationship in 'User' and name it as 'inverse')",
      "warning key-without-inverse /entities/Counts/primaryKey: the key 'user' has no inverse, so stored records are not found and new ones are inserted each time (declare the inverse in 'User')",
      entities: [
        EntityDescription(
          "Counts", primaryKey: "user", relationships: [RelationshipDescription("user", to: "User")]), user(),
      ]),
  ]

  @Test(arguments: mistakes) func isSaid(_ mistake: Mistake) {
    #expect(Self.problems(mistake.entities) == mistake.problems)
  }

  @Test func manyMistakesAreFoundAtOnce() {
    let found = Self.problems([
      EntityDescription("A", parent: "B", primaryKey: "x", attributes: [AttributeDescription("1", .string)]),
      EntityDescription("C", relationships: [RelationshipDescription("d", to: "D")]),
    ])
    #expect(found.count == 4)
  }

  @Test func aSoundModelHasNoProblems() {
    let model = [
      Self.post(RelationshipDescription("user", to: "User", inverse: "posts")),
      Self.user(RelationshipDescription("posts", toMany: "Post", inverse: "user")),
    ]
    #expect(Self.problems(model).isEmpty)
  }
}
