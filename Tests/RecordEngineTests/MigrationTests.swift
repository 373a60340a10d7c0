import Foundation
import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for opening a file of an older model.
@Suite struct MigrationTests {
  /// Returns the contents of a store by name, which do not change when numbers change.
  private static func contents(_ store: any Store, _ schema: Schema) throws -> [String] {
    var lines: [String] = []
    for tree in schema.trees {
      for row in try store.rows(of: tree.root) {
        let entity = schema.entities[row.entity]
        var parts = ["\(entity.name) \(row.id.serial)\(row.isStub ? " stub" : "")"]
        for attribute in entity.attributes {
          if let value = row.values[attribute.column] { parts.append("\(attribute.name)=\(value)") }
        }
        for relationship in entity.relationships.map({ schema.relationships[$0] }) {
          let members =
            try relationship.slot.map { row.toOnes[$0].map { [$0] } ?? [] }
            ?? store.members(of: relationship.index, owners: [row.id])[0]
          if !members.isEmpty { parts.append("\(relationship.name)→\(members.map(\.serial))") }
        }
        lines.append(parts.joined(separator: " "))
      }
    }
    return lines.sorted()
  }

  private static func first() -> [EntityDescription] {
    [
      EntityDescription(
        "Post", primaryKey: "id",
        attributes: [
          AttributeDescription("id", .int32), AttributeDescription("title", .string),
          AttributeDescription("score", .float),
        ],
        relationships: [
          RelationshipDescription("author", to: "User", inverse: "posts"),
          RelationshipDescription("tags", toMany: "Tag", inverse: "posts", isOrdered: true),
          RelationshipDescription("related", toMany: "Post"),
        ]),
      EntityDescription("Film", parent: "Post", attributes: [AttributeDescription("length", .int16)]),
      EntityDescription("Book", parent: "Post"),
      EntityDescription(
        "User", primaryKey: "id",
        attributes: [AttributeDescription("id", .int32), AttributeDescription("name", .string)],
        relationships: [
          RelationshipDescription("posts", toMany: "Post", inverse: "author", isOrdered: true),
          RelationshipDescription("favourite", to: "Post"),
        ]),
      EntityDescription(
        "Tag", primaryKey: "name", attributes: [AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "tags")]),
    ]
  }

  /// Fills a new file, and returns its contents.
  private static func fill(_ url: URL) throws -> [String] {
    let schema = try ManagedObjectModel(entities: first()).schema
    let store = try SQLiteStore(url: url, schema: schema)
    var graph = WorkingGraph(schema: schema, reader: store)
    let posts = graph.insert([0, 1, 2, 0, 1])
    let users = graph.insert([3, 3])
    let tags = graph.insert([4, 4, 4])
    for (number, id) in posts.enumerated() {
      graph.update(id) {
        $0.values[0] = .integer(Int64(number))
        $0.values[1] = number == 3 ? nil : .string("title \(number)")
        $0.values[2] = .double(Double(number) / 2)
        $0.isStub = number == 3
      }
    }
    graph.update(posts[1]) { $0.values[3] = .integer(90) }
    for (number, id) in users.enumerated() {
      graph.update(id) { $0.values = [.integer(Int64(number)), .string("user \(number)")] }
    }
    for (number, id) in tags.enumerated() { graph.update(id) { $0.values = [.string("tag \(number)")] } }
    func relationship(_ name: PropertyName, _ entity: EntityIndex) throws -> RelationshipIndex {
      try #require(schema.entities[entity].relationshipIndices[name])
    }
    for post in [posts[2], posts[0], posts[1]] {
      try graph.setToOne(relationship("author", 0), of: post, to: users[0])
    }
    try graph.setToOne(relationship("favourite", 3), of: users[0], to: posts[1])
    try graph.setToOne(relationship("favourite", 3), of: users[1], to: posts[0])
    for tag in [tags[2], tags[0], tags[1]] {
      try graph.addMember(tag, to: relationship("tags", 0), of: posts[0])
    }
    try graph.addMember(tags[1], to: relationship("tags", 0), of: posts[1])
    try graph.addMember(posts[2], to: relationship("related", 0), of: posts[1])
    try graph.addMember(posts[0], to: relationship("related", 0), of: posts[1])
    try store.commit(graph.changes())
    return try contents(store, schema)
  }

  /// A change of the model, and its effect on each line of the contents.
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var change: @Sendable (inout [EntityDescription]) -> Void
    var expected: @Sendable (_ line: String) -> String? = { $0 }
  }

  static let cases: [Case] = [
    Case(testDescription: "only the order of entities and properties changes") {
      $0.reverse()
      for index in $0.indices {
        $0[index].attributes.reverse()
        $0[index].relationships.reverse()
      }
    } expected: { line in
      sorted(line)
    },
    Case(testDescription: "only the order of attributes changes") {
      $0[0].attributes.reverse()
    } expected: { line in
      sorted(line)
    },
    Case(testDescription: "only the order of sub-entities changes") {
      $0.swapAt(1, 2)
    },
    Case(testDescription: "only the mapping changes") {
      $0[0].attributes[1].from = ["headline"]
      $0[0].responseKeyPath = "data"
      $0[0].dateFormat = "iso8601"
    },
    Case(testDescription: "an optional attribute is added") {
      $0[0].attributes.append(AttributeDescription("body", .string))
    },
    Case(testDescription: "attributes with a default are added") {
      $0[1].attributes.append(AttributeDescription("rating", .double, default: 2.5, isOptional: false))
      $0[1].attributes.append(AttributeDescription("votes", .int32, default: 7))
    } expected: { line in
      line.hasPrefix("Film") ? line + " rating=double(2.5) votes=integer(7)" : line
    },
    Case(testDescription: "an attribute is removed") {
      $0[0].attributes.remove(at: 2)
    } expected: { line in
      line.split(separator: " ").filter { !$0.hasPrefix("score=") }.joined(separator: " ")
    },
    Case(testDescription: "attributes become wider") {
      $0[0].attributes[0].type = .int64
      $0[0].attributes[2].type = .double
    },
    Case(testDescription: "an attribute becomes required, with a default") {
      $0[0].attributes[1].isOptional = false
      $0[0].attributes[1].defaultValue = "untitled"
    } expected: { line in
      sorted(
        line.replacingOccurrences(
          of: "stub id=integer(3)", with: "stub id=integer(3) title=string(\"untitled\")"))
    },
    Case(testDescription: "a property is renamed") {
      $0[0].attributes[1].name = "headline"
      $0[0].attributes[1].renamingIdentifier = "title"
      $0[0].attributes[0].name = "number"
      $0[0].attributes[0].renamingIdentifier = "id"
      $0[0].primaryKey = ["number"]
      $0[0].relationships[1].name = "labels"
      $0[0].relationships[1].renamingIdentifier = "tags"
      $0[4].relationships[0].inverse = "labels"
    } expected: { line in
      guard line.contains("title") || line.contains("stub") || line.hasPrefix("Post") else {
        return sorted(line)
      }
      return sorted(
        line.replacingOccurrences(of: " title=", with: " headline=").replacingOccurrences(
          of: " id=", with: " number="
        )
        .replacingOccurrences(of: " tags→", with: " labels→"))
    },
    Case(testDescription: "an entity is renamed") {
      $0[0].name = "Article"
      $0[0].renamingIdentifier = "Post"
      for index in [1, 2] { $0[index].parent = "Article" }
      $0[0].relationships[2].destination = "Article"
      for index in $0[3].relationships.indices { $0[3].relationships[index].destination = "Article" }
      $0[4].relationships[0].destination = "Article"
    } expected: { line in
      line.hasPrefix("Post") ? "Article" + line.dropFirst(4) : line
    },
    Case(testDescription: "an entity is added, with relationships to it") {
      $0.insert(
        EntityDescription(
          "Place", attributes: [AttributeDescription("name", .string, isOptional: false)],
          relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "place")]), at: 0)
      $0[1].relationships.append(RelationshipDescription("place", to: "Place", inverse: "posts"))
      $0[1].relationships.append(RelationshipDescription("places", toMany: "Place"))
    },
    Case(testDescription: "an entity is removed with its records") {
      $0.remove(at: 4)
      $0[0].relationships.remove(at: 1)
    } expected: { line in
      line.hasPrefix("Tag")
        ? nil
        : line.replacingOccurrences(of: " tags→[3, 1, 2]", with: "")
          .replacingOccurrences(of: " tags→[2]", with: "")
    },
    Case(testDescription: "a sub-entity is removed with its records") {
      $0.remove(at: 2)
    } expected: { line in
      line.hasPrefix("Book")
        ? nil
        : line.replacingOccurrences(of: "posts→[3, 1, 2]", with: "posts→[1, 2]")
          .replacingOccurrences(of: "related→[1, 3]", with: "related→[1]")
    },
    Case(testDescription: "a sub-entity is removed, to whose records a to-one leads") {
      $0.remove(at: 1)
    } expected: { line in
      line.hasPrefix("Film")
        ? nil
        : line.replacingOccurrences(of: "posts→[3, 1, 2]", with: "posts→[3, 1]")
          .replacingOccurrences(of: " favourite→[2]", with: "")
          .replacingOccurrences(of: "posts→[1, 2]", with: "posts→[1]")
    },
    Case(testDescription: "an optional attribute gets a default") {
      $0[0].attributes[1].defaultValue = "untitled"
      $0[0].attributes.append(AttributeDescription("body", .string))
    },
    Case(testDescription: "a new attribute with a default is the key of a new sub-entity") {
      $0[0].attributes.append(AttributeDescription("code", .string, default: "none", isOptional: false))
      $0.append(EntityDescription("Album", parent: "Post", primaryKey: "code"))
    } expected: { line in
      ["Post", "Film", "Book"].contains(line.split(separator: " ")[0])
        ? line + " code=string(\"none\")" : line
    },
    Case(testDescription: "a relationship is removed, with its inverse or without") {
      $0[0].relationships.removeFirst()
      $0[3].relationships.removeFirst()
      $0[4].relationships.removeFirst()
      $0[0].relationships[0].inverse = nil
    } expected: { line in
      line.split(separator: " ").joined(separator: " ").replacingOccurrences(of: " author→[1]", with: "")
        .replacingOccurrences(of: " posts→[3, 1, 2]", with: "").replacingOccurrences(
          of: " posts→[1, 2]", with: ""
        )
        .replacingOccurrences(of: " posts→[1]", with: "")
    },
    Case(testDescription: "an inverse is added, declared before its relationship") {
      $0[0].relationships[2].inverse = "relating"
      $0[0].relationships.insert(
        RelationshipDescription("relating", toMany: "Post", inverse: "related", isOrdered: true), at: 0)
      $0[0].relationships.append(
        RelationshipDescription("fans", toMany: "User", inverse: "favourite", isOrdered: true))
      $0[3].relationships[1].inverse = "fans"
    } expected: { line in
      var line = line
      let numbers = ["1": " relating→[2] fans→[2]", "3": " relating→[2]", "2": " fans→[1]"]
      let words = line.split(separator: " ")
      if ["Post", "Film", "Book"].contains(words[0]) { line += numbers[String(words[1])] ?? "" }
      return sorted(line)
    },
    Case(testDescription: "order is added and removed") {
      $0[0].relationships[1].isOrdered = false
      $0[3].relationships[0].isOrdered = false
      $0[4].relationships[0].isOrdered = true
      $0[0].relationships[2].isOrdered = true
    } expected: { line in
      line.replacingOccurrences(of: "posts→[3, 1, 2]", with: "posts→[1, 2, 3]")
        .replacingOccurrences(of: "tags→[3, 1, 2]", with: "tags→[1, 2, 3]")
    },
  ]

  /// Returns a line with its parts in sorted order.
  private static func sorted(_ line: String) -> String {
    let line = line.replacingOccurrences(of: ", ", with: ",").replacingOccurrences(
      of: "title ", with: "title_"
    )
    .replacingOccurrences(of: "user ", with: "user_").replacingOccurrences(of: "tag ", with: "tag_")
    let words = line.split(separator: " ").map(String.init)
    return (words.prefix(2) + words.dropFirst(2).sorted()).joined(separator: " ")
  }

  @Test(arguments: cases) func whatCanBeDone(value: Case) throws {
    let folder = try TemporaryFolder()
    let before = try Self.fill(folder.file())
    var entities = Self.first()
    value.change(&entities)
    let schema = try ManagedObjectModel(entities: entities).schema
    let expected = before.compactMap(value.expected).map(Self.sorted).sorted()
    for _ in 0..<2 {
      let store = try SQLiteStore(url: folder.file(), schema: schema)
      #expect(try Self.contents(store, schema).map(Self.sorted).sorted() == expected)
    }
    // New records get larger numbers than all existing ones.
    let store = try SQLiteStore(url: folder.file(), schema: schema)
    for (tree, value) in schema.trees.indexed {
      let last = try store.rows(of: value.root).last?.id.serial ?? 0
      #expect(store.reserveIDs(tree: tree, count: 1).serial > last)
    }
  }

  @Test func whatCannotBeDoneIsSaidAndLeftAlone() throws {
    let folder = try TemporaryFolder()
    _ = try Self.fill(folder.file())
    let before = try Data(contentsOf: folder.file())
    var entities = Self.first()
    entities[0].attributes[0].type = .string
    entities[0].attributes[1].isOptional = false
    entities[0].attributes.append(AttributeDescription("body", .string, isOptional: false))
    entities[0].attributes.append(AttributeDescription("length", .int16))
    entities[1].attributes = [AttributeDescription("duration", .int16, renamingIdentifier: "nothing")]
    entities[2].parent = nil
    entities[2].attributes = [AttributeDescription("id", .int32)]
    entities[0].relationships[0] = RelationshipDescription("author", toMany: "User", inverse: "posts")
    entities[0].relationships[2].destination = "Tag"
    entities[3].relationships[1] = RelationshipDescription("favourite", to: "Post", isOptional: false)
    entities[3].attributes.append(AttributeDescription("label", .string, renamingIdentifier: "name"))
    entities[4].primaryKey = []
    let model = try ManagedObjectModel(entities: entities)
    let error = try #require(throws: PersistentStoreError.self) {
      try PersistentContainer(model: model, configuration: .init(store: .file(folder.file())))
    }
    #expect(error.kind == .modelMismatch)
    #expect(
      error.changes == [
        "'Post.id' changed from int32 to string",
        "'Post.title' became required, and has no default for records without a value",
        "'Post.body' is new and required, and has no default for existing records",
        "'Post.author' changed from to-one to to-many",
        "the destination of 'Post.related' changed from 'Post' to 'Tag'",
        "the parent of 'Book' changed from 'Post' to none",
        "'User.favourite' became required, and some records may have none",
        "both 'name' and 'label' of 'User' are renamed from the attribute 'name'",
        "the primary key of 'Tag' changed from 'name' to none",
        "'length' moved from 'Film' to 'Post'",
      ])
    #expect(
      error.description.contains(folder.file().path) && error.description.contains("\n- 'Post.id' changed"))
    #expect(try Data(contentsOf: folder.file()) == before)
    let schema = try ManagedObjectModel(entities: Self.first()).schema
    #expect(throws: Never.self) { try SQLiteStore(url: folder.file(), schema: schema) }
  }

  /// The file probably belongs to another model. A migration would delete all of its records.
  @Test func aModelWithoutAnyEntityOfTheFileIsRefused() throws {
    let folder = try TemporaryFolder()
    _ = try Self.fill(folder.file())
    let before = try Data(contentsOf: folder.file())
    func open(renamingIdentifier: String? = nil) throws -> PersistentContainer {
      let label = EntityDescription(
        "Label", primaryKey: "name", renamingIdentifier: renamingIdentifier,
        attributes: [AttributeDescription("name", .string)])
      return try PersistentContainer(
        model: ManagedObjectModel(entities: [label]), configuration: .init(store: .file(folder.file())))
    }
    let error = try #require(throws: PersistentStoreError.self) { try open() }
    #expect(error.kind == .modelMismatch)
    #expect(
      error.changes == [
        "the model has none of the entities of the file: 'Post', 'Film', 'Book', 'User', 'Tag'; "
          + "set the 'renamingIdentifier' of each renamed entity, or use another file"
      ])
    #expect(try Data(contentsOf: folder.file()) == before)
    // One entity is enough, for example a renamed one.
    let labels = try open(renamingIdentifier: "Tag").makeContext().fetch(RecordFetchRequest("Label"))
    #expect(
      labels.map { $0.value(of: "name") } == [.string("tag 0"), .string("tag 1"), .string("tag 2")])
  }

  /// A model without any entity would delete every record, too.
  @Test func aModelWithoutEntitiesIsRefused() throws {
    let folder = try TemporaryFolder()
    _ = try Self.fill(folder.file())
    let before = try Data(contentsOf: folder.file())
    let empty = ManagedObjectModel()
    let error = try #require(throws: PersistentStoreError.self) {
      try PersistentContainer(model: empty, configuration: .init(store: .file(folder.file())))
    }
    #expect(error.kind == .modelMismatch)
    #expect(
      error.changes == [
        "the model has none of the entities of the file: 'Post', 'Film', 'Book', 'User', 'Tag'; "
          + "use a model that has them, or use another file"
      ])
    #expect(try Data(contentsOf: folder.file()) == before)
    let model = try ManagedObjectModel(entities: Self.first())
    let container = try PersistentContainer(
      model: model, configuration: .init(store: .file(folder.file())))
    #expect(try container.makeContext().fetch(RecordFetchRequest("Tag")).count == 3)
  }

  /// A file without entities has no records that a migration could delete.
  @Test func aFileWithoutEntitiesGetsAnyModel() throws {
    let folder = try TemporaryFolder()
    for model in [ManagedObjectModel(), try ManagedObjectModel(entities: Self.first())] {
      #expect(throws: Never.self) {
        try PersistentContainer(model: model, configuration: .init(store: .file(folder.file())))
      }
    }
  }

  /// Each of the changes is refused by itself.
  @Test func everyLossIsRefused() throws {
    let changes: [(inout [EntityDescription]) -> Void] = [
      { $0[0].attributes[2].type = .int64 },
      { $0[0].attributes[0].type = .int16 },
      { $0[2].isAbstract = true },
      { $0[0].primaryKey = ["title"] },
      { $0[0].attributes[1] = AttributeDescription("author2", .string, renamingIdentifier: "author") },
      {
        $0[0].relationships[1].inverse = nil
        $0[4].relationships[0].inverse = nil
      },
      {
        $0[0].relationships.remove(at: 0)
        $0[3].relationships[0].inverse = nil
      },
      {
        $0[3].relationships[1].inverse = "fan"
        $0[0].relationships.append(RelationshipDescription("fan", to: "User", inverse: "favourite"))
      },
      {
        $0.append(EntityDescription("Text", primaryKey: "id", attributes: $0[0].attributes))
        $0[5].renamingIdentifier = "Post"
      },
    ]
    let folder = try TemporaryFolder()
    _ = try Self.fill(folder.file())
    let before = try Data(contentsOf: folder.file())
    for (number, change) in changes.enumerated() {
      var entities = Self.first()
      change(&entities)
      let schema = try ManagedObjectModel(entities: entities).schema
      #expect(throws: PersistentStoreError.self, "change \(number)") {
        try SQLiteStore(url: folder.file(), schema: schema)
      }
      #expect(try Data(contentsOf: folder.file()) == before)
    }
  }

  /// A property keeps its original name in the file, so that any later model can refer to any of its former names.
  @Test func renamedTwice() throws {
    let folder = try TemporaryFolder()
    _ = try Self.fill(folder.file())
    func open(_ name: PropertyName, _ identifier: String?) throws -> [AttributeValue?] {
      var entities = Self.first()
      entities[3].attributes[1].name = name
      entities[3].attributes[1].renamingIdentifier = identifier
      let schema = try ManagedObjectModel(entities: entities).schema
      let store = try SQLiteStore(url: folder.file(), schema: schema)
      return try store.rows(of: 3).map { $0.values[1] }
    }
    let names: [AttributeValue?] = [.string("user 0"), .string("user 1")]
    #expect(try open("nick", "name") == names)
    #expect(try open("alias", "name") == names)
    #expect(try open("handle", "alias") == names)
    #expect(try open("handle", nil) == names)
    #expect(try open("other", nil) == [nil, nil])
  }

  /// Two properties or entities that swap their names keep their values.
  @Test(arguments: [[1, 2, 2], [1, 2, 3, 1], [1, 3, 2]]) func swappedNames(versions: [Int]) throws {
    let folder = try TemporaryFolder()
    func model(_ version: Int) throws -> ManagedObjectModel {
      let isSwapped = version > 1
      func pair(_ name: String, _ other: String) -> [(name: String, identifier: String?)] {
        [(name, isSwapped ? other : nil), (other, isSwapped ? name : nil)]
      }
      return try ManagedObjectModel(
        entities: [
          EntityDescription(
            "Post", primaryKey: "id",
            attributes: [AttributeDescription("id", .string)]
              + pair("first", "second").map {
                AttributeDescription(PropertyName($0.name), .string, renamingIdentifier: $0.identifier)
              } + (version > 2 ? [AttributeDescription("more", .string)] : []),
            relationships: pair("author", "editor").map {
              RelationshipDescription(
                PropertyName($0.name), to: isSwapped ? "Group" : "User", renamingIdentifier: $0.identifier)
            }
              + pair("readers", "writers").map {
                var relationship = RelationshipDescription(
                  PropertyName($0.name), toMany: isSwapped ? "Group" : "User")
                relationship.renamingIdentifier = $0.identifier
                return relationship
              })
        ]
          + pair("User", "Group").map {
            var entity = EntityDescription(
              EntityName($0.name), primaryKey: "id", attributes: [AttributeDescription("id", .string)])
            entity.renamingIdentifier = $0.identifier
            return entity
          })
    }
    for (number, version) in versions.enumerated() {
      let context = try PersistentContainer(
        model: model(version), configuration: .init(store: .file(folder.file()))
      ).makeContext()
      if number == 0 {
        let post = try context.insert("Post")
        let user = try context.insert("User")
        let group = try context.insert("Group")
        for (record, id) in [(post, "post"), (user, "user"), (group, "group")] {
          record.setValue(.string(id), of: "id")
        }
        post.setValue(.string("FIRST"), of: "first")
        post.setValue(.string("SECOND"), of: "second")
        post["author"] = user
        post.add(user, to: "writers")
        try context.save()
      }
      let isSwapped = version > 1
      let post = try #require(try context.fetch(RecordFetchRequest("Post")).first)
      #expect(post.value(of: isSwapped ? "second" : "first") == .string("FIRST"), "\(number)")
      #expect(post.value(of: isSwapped ? "first" : "second") == .string("SECOND"), "\(number)")
      let users = try context.fetch(RecordFetchRequest(isSwapped ? "Group" : "User"))
      #expect(users.map { $0.value(of: "id") } == [.string("user")], "\(number)")
      let groups = try context.fetch(RecordFetchRequest(isSwapped ? "User" : "Group"))
      #expect(groups.map { $0.value(of: "id") } == [.string("group")], "\(number)")
      let (author, editor): (Record?, Record?) = (post["author"], post["editor"])
      #expect((isSwapped ? editor : author)?.recordID == users.first?.recordID, "\(number)")
      #expect((isSwapped ? author : editor) == nil, "\(number)")
      let (readers, writers): ([Record], [Record]) = (post["readers"], post["writers"])
      #expect((isSwapped ? readers : writers).map(\.recordID) == users.map(\.recordID), "\(number)")
      #expect((isSwapped ? writers : readers).isEmpty, "\(number)")
    }
  }

  /// A model can give the former name of one property to another property.
  @Test func aFormerNameThatIsGivenAgain() throws {
    let folder = try TemporaryFolder()
    func values(_ attributes: [AttributeDescription], filling: Bool = false) throws -> [AttributeValue?] {
      let model = try ManagedObjectModel(entities: [EntityDescription("Post", attributes: attributes)])
      let context = try PersistentContainer(model: model, configuration: .init(store: .file(folder.file())))
        .makeContext()
      if filling {
        let post = try context.insert("Post")
        for attribute in attributes { post.setValue(.string("the \(attribute.name)"), of: attribute.name) }
        try context.save()
      }
      let post = try #require(try context.fetch(RecordFetchRequest("Post")).first)
      return attributes.map { post.value(of: $0.name) }
    }
    let title = AttributeDescription("title", .string, renamingIdentifier: "name")
    let (name, more) = (AttributeDescription("name", .string), AttributeDescription("more", .string))
    let both: [AttributeValue?] = [.string("the title"), .string("the name")]
    #expect(try values([title, name], filling: true) == both)
    #expect(try values([title, name]) == both)
    #expect(try values([name, title]) == both.reversed())
    #expect(try values([title, name, more]) == both + [nil])
    let headline = AttributeDescription("headline", .string, renamingIdentifier: "name")
    #expect(try values([headline, name]) == both)
    // An unknown renaming identifier does not lose the values of a property with the same name.
    #expect(
      try values([AttributeDescription("name", .string, renamingIdentifier: "label"), headline])
        == both.reversed())
  }

  /// The records of a removed entity are deleted. Only a required relationship to one of these records prevents the
  /// migration.
  @Test func aRequiredRelationshipToAnEntityThatGoes() throws {
    func model(hasAdmins: Bool) throws -> ManagedObjectModel {
      var readers = RelationshipDescription("readers", toMany: "User")
      readers.isOptional = false
      return try ManagedObjectModel(
        entities: [
          EntityDescription(
            "Post", primaryKey: "id", attributes: [AttributeDescription("id", .string)],
            relationships: [
              RelationshipDescription("author", to: "User", isOptional: false),
              readers,
            ]),
          EntityDescription("User", primaryKey: "id", attributes: [AttributeDescription("id", .string)]),
        ] + (hasAdmins ? [EntityDescription("Admin", parent: "User")] : []))
    }
    for (author, readers, refused) in [
      ("User", ["User"], []), ("User", ["User", "Admin"], []), ("Admin", ["User"], ["author"]),
      ("User", ["Admin"], ["readers"]), ("Admin", ["Admin"], ["author", "readers"]),
    ] as [(EntityName, [EntityName], [String])] {
      let folder = try TemporaryFolder()
      do {
        let context = try PersistentContainer(
          model: model(hasAdmins: true), configuration: .init(store: .file(folder.file()))
        )
        .makeContext()
        let records = try ["User", "Admin"].map { (name: EntityName) in (name, try context.insert(name)) }
        for (name, record) in records { record.setValue(.string(name.rawValue), of: "id") }
        let post = try context.insert("Post")
        post.setValue(.string("post"), of: "id")
        post["author"] = records.first { $0.0 == author }?.1
        for (name, record) in records where readers.contains(name) { post.add(record, to: "readers") }
        try context.save()
      }
      let before = try Data(contentsOf: folder.file())
      let new = try model(hasAdmins: false)
      guard !refused.isEmpty else {
        #expect(throws: Never.self) {
          try PersistentContainer(model: new, configuration: .init(store: .file(folder.file())))
        }
        continue
      }
      let error = #expect(throws: PersistentStoreError.self) {
        try PersistentContainer(model: new, configuration: .init(store: .file(folder.file())))
      }
      #expect(error?.kind == .modelMismatch)
      #expect(
        error?.changes
          == refused.map {
            "'Post.\($0)' is required, and 1 record would have none: the entity of their destination was removed"
          })
      #expect(try Data(contentsOf: folder.file()) == before)
    }
  }
}
