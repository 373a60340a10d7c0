import JSONTree
import RecordModel
import RecordSpec
import Testing

@Suite struct ModelReadingTests {
  private static let steps = "steps: [{request: Post, urn: posts}]\n"

  private func model(_ text: String) throws -> (ManagedObjectModel?, String) {
    let loaded = try scenario(model: text, responses: "", steps: Self.steps)
    return (loaded.scenario?.model, loaded.complaints)
  }

  @Test func readsEveryKey() throws {
    let (model, complaints) = try model(
      """
      model:
        dateFormat: iso8601
        nulls: keep
        entities:
          Content:
            abstract: true
            primaryKey: [id, site]
            attributes: {id: int64, site: string}
          Post:
            class: App.Post
            parent: Content
            responseKeyPath: data.posts
            responseKeyedBy: id
            dateFormat: yyyy-MM-dd
            null: clear
            merge: deep
            modificationAttribute: changed
            ignores: ["*_url", meta.page]
            usedWhen: kind == "post"
            attributes:
              text:
                type: string
                from: [body, [text, "a.b", 0, "@x"], caption.text]
                default: none
                optional: false
                null: keep
              changed: {type: date, from: meta.changed, format: "yyyy-MM-dd'T'HH:mm:ssZ"}
              extra: {type: transformable, transformer: Upper}
            relationships:
              author: {to: Post, inverse: works, optional: false, from: [by, writer], null: keep, stubs: never}
              works:
                toMany: Post
                inverse: author
                ordered: true
                minCount: 1
                maxCount: 9
                deleteRule: noAction
                assignment: replace
                keyedBy: text

      """)
    #expect(complaints == "")
    let entities = try #require(model?.entities)
    #expect(
      entities == [
        EntityDescription(
          "Content", isAbstract: true, primaryKey: "id", "site",
          attributes: [AttributeDescription("id", .int64), AttributeDescription("site", .string)]),
        EntityDescription(
          "Post", className: "App.Post", parent: "Content", responseKeyPath: "data.posts",
          responseKeyedBy: "id",
          dateFormat: "yyyy-MM-dd", null: .clear, merge: .deep, modificationAttribute: "changed",
          usedWhen: #"kind == "post""#, ignores: ["*_url", "meta.page"],
          attributes: [
            AttributeDescription(
              "text", .string,
              from: [
                "body", MappingPath(components: [.key("text"), .key("a.b"), .index(0), .key("@x")]),
                "caption.text",
              ], default: "none", isOptional: false, null: .keep),
            AttributeDescription("changed", .date, from: ["meta.changed"], format: "yyyy-MM-dd'T'HH:mm:ssZ"),
            AttributeDescription("extra", .transformable, transformer: "Upper"),
          ],
          relationships: [
            RelationshipDescription(
              "author", to: "Post", inverse: "works", isOptional: false, from: ["by", "writer"], null: .keep,
              stubs: .never),
            RelationshipDescription(
              "works", to: "Post", isToMany: true, inverse: "author", isOrdered: true, minCount: 1,
              maxCount: 9,
              deleteRule: .noAction, assignment: .replace, keyedBy: "text"),
          ]),
      ])
  }

  @Test func readsAModelFileAndWhatIsLaidOverIt() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      entities:
        Post:
          primaryKey: id
          attributes: {id: int32, text: string}
          relationships: {user: {to: User, inverse: posts}}
        User:
          primaryKey: id
          attributes: {id: int32}
          relationships: {posts: {toMany: Post, inverse: user}}
      """, to: "models/blog.model.yaml")
    try folder.write(
      Parts.title + "model: ../models/blog.model.yaml\n" + Self.steps, to: "scenarios/plain.yaml")
    try folder.write(
      Parts.title + """
        model:
          file: ../models/blog.model.yaml
          entities:
            Post:
              responseKeyPath: data
              merge: deep
              attributes: {id: int64, text: {from: body}}
              relationships: {user: {stubs: never}}
        \(Self.steps)
        """, to: "scenarios/over.yaml")
    let plain = folder.load("scenarios/plain.yaml")
    #expect(plain.complaints == "")
    #expect(plain.scenario?.model.entities.map(\.name) == ["Post", "User"])

    let over = folder.load("scenarios/over.yaml")
    #expect(over.complaints == "")
    let post = try #require(over.scenario?.model.entities.first)
    #expect(post.responseKeyPath == "data" && post.merge == .deep && post.primaryKey == ["id"])
    #expect(
      post.attributes == [
        AttributeDescription("id", .int64), AttributeDescription("text", .string, from: ["body"]),
      ])
    #expect(
      post.relationships == [RelationshipDescription("user", to: "User", inverse: "posts", stubs: .never)])
    #expect(over.scenario?.model.entities.last == plain.scenario?.model.entities.last)
  }

  @Test func readsAnXcodeModelAndWhatIsLaidOverIt() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Post" representedClassName="Post">
          <attribute name="id" optional="YES" attributeType="Integer 32"/>
          <attribute name="date" optional="YES" attributeType="Date"/>
          <userInfo><entry key="MMRecordEntityPrimaryAttributeKey" value="id"/></userInfo>
        </entity>
      </model>
      """, to: "Blog.xcdatamodeld/Blog.xcdatamodel/contents")
    try folder.write(
      Parts.title + """
        model:
          file: Blog.xcdatamodeld
          dateFormat: yyyy
          nulls: keep
          entities:
            Post:
              responseKeyPath: data
              ignores: ["*_url"]
              attributes: {id: int64, date: {from: created_at}}
        \(Self.steps)
        """, to: "a.yaml")
    let loaded = folder.load("a.yaml")
    #expect(loaded.complaints == "")
    let post = try #require(loaded.scenario?.model.entities.first)
    #expect(post.primaryKey == ["id"] && post.responseKeyPath == "data" && post.ignores == ["*_url"])
    #expect(post.attributes.map(\.type) == [.int64, .date])
    #expect(post.attributes.map(\.from) == [[], ["created_at"]])
  }

  /// Unknown key properties are reported next to other errors, except if such an error can be their cause.
  @Test(arguments: [
    ("Post: {primaryKey: [id, sti], attributes: {id: int6, site: string}}", ["'int6'", "'sti'"]),
    ("Post: {primaryKey: sti, attributes: {id: string}}, Tag: {nul: keep}", ["'nul'", "'sti'"]),
    ("Post: {primaryKey: id, attributes: {id: int6}}", ["'int6'"]),
    ("Post: {primaryKey: id, atributes: {id: string}}", ["'atributes'"]),
    ("Post: {primaryKey: id, attributes: [id]}", ["a list"]),
    ("Post: {primaryKey: by, relationships: {by: {too: Post}}}", ["'too'"]),
    ("Post: {parent: [Tag], primaryKey: id}, Tag: {attributes: {id: string}}", ["a list"]),
    ("Post: {parent: Tag, primaryKey: id}, Tag: {attributes: {id: int6}}", ["'int6'"]),
    ("Post: {parent: Tag, primaryKey: id}, Tag: {nul: keep}", ["'nul'"]),
    ("Post: {parent: Tag, primaryKey: ids}, Tag: {attributes: {id: int6}}", ["'int6'", "'ids'"]),
    ("Post: {parent: Tag, primaryKey: id}, Tag: {parent: Post, attributes: {id: int6}}", ["'int6'"]),
  ])
  func unknownKeysAreToldBesideOtherMistakes(entities: String, mistakes: [String]) throws {
    let loaded = try scenario(
      model: "model:\n  entities: {\(entities)}\n", responses: "", steps: Self.steps)
    #expect(loaded.diagnostics.count == mistakes.count, "\(loaded.complaints)")
    for mistake in mistakes {
      #expect(loaded.diagnostics.contains { $0.message.contains(mistake) }, "\(mistake)")
    }
  }

  @Test(arguments: [
    ("from: a", ["a"]), ("from: a.b", ["a.b"]), ("from: [a, b.c]", ["a", "b.c"]),
    ("from: [[a, b.c]]", [#"[a, "b.c"]"#]),
    ("from: [[a, 0], b]", ["a[0]", "b"]), ("from: '[a, \"b.c\"]'", [#"[a, "b.c"]"#]),
    ("from: [a.@count]", ["a.@count"]),
    ("from: [[a, \"@count\"]]", [#"[a, "@count"]"#]),
  ])
  func readsPaths(text: String, expected: [String]) throws {
    let (model, complaints) = try model(
      "model: {entities: {Post: {primaryKey: id, attributes: {id: {type: string, \(text)}}}}}\n")
    #expect(complaints == "")
    #expect(model?.entities.first?.attributes.first?.from.map(\.description) == expected)
  }
}
