import Foundation
import Testing

@testable import RecordEngine

/// Tests for the digest that identifies a model in the keys of a cache. Rule: `cache.isolation`.
@Suite struct ModelDigestTests {
  private static func model(_ change: (inout EntityDescription) -> Void = { _ in }) throws
    -> ManagedObjectModel
  {
    var post = EntityDescription(
      "Post", primaryKey: "id", responseKeyPath: "data.posts[0]", detailURN: "posts/{id}",
      isRecordLevelCachingEnabled: true,
      attributes: [
        AttributeDescription("id", .int64),
        AttributeDescription("date", .date, from: ["created_at"], format: "yyyy-MM-dd"),
        AttributeDescription("price", .decimal, default: 1),
        AttributeDescription("raw", .transformable, transformer: "raw"),
      ],
      relationships: [RelationshipDescription("user", to: "User", inverse: "posts")])
    post.deletedWhen =
      #"text MATCHES[cd] "a+" OR ANY tags.text LIKE "*b?" AND date > CAST("2000-01-01T00:00:00Z", "NSDate")"#
    post.usedWhen = "kind IN {1, 2.5, nil}"
    change(&post)
    return try ManagedObjectModel(entities: [
      post,
      EntityDescription(
        "User", primaryKey: "id", attributes: [AttributeDescription("id", .int64)],
        relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "user")]),
    ])
  }

  @Test func theSameModelHasTheSameInEveryProcess() throws {
    let text = ModelDigest.text(of: try Self.model())
    #expect(text == ModelDigest.text(of: try Self.model()))
    // The digest must not contain memory addresses, which differ between processes.
    #expect(text.firstMatch(of: /0x[0-9a-f]{6,}/) == nil)
    #expect(text.contains("created_at") && text.contains("MATCHES"))
  }

  @Test func whateverIsDeclaredOtherwiseMakesAnother() throws {
    let changes: [(inout EntityDescription) -> Void] = [
      { _ in }, { $0.responseKeyPath = "data.posts[1]" }, { $0.usedWhen = "kind IN {1, 2.5}" },
      { $0.deletedWhen = nil }, { $0.merge = .deep }, { $0.null = .keep }, { $0.dateFormat = "yyyy" },
      { $0.attributes[1].format = "yyyy-MM" }, { $0.attributes[2].defaultValue = 2 },
      { $0.attributes[3].isOptional.toggle() }, { $0.relationships[0].deleteRule = .cascade },
    ]
    let entities = try Self.model().entities
    let models =
      try changes.map(Self.model) + [
        ManagedObjectModel(entities: entities, dateFormat: "yyyy"),
        ManagedObjectModel(entities: entities, nulls: .keep),
      ]
    #expect(Set(models.map { ModelDigest($0).value }).count == models.count)
  }
}
