import JSONTree
import RecordModel
import Testing

@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for the keys that may have been meant by a path that an item does not have.
@Suite struct UnreadKeysTests {
  @Test(arguments: [
    ("stars_count", "stargazers_count"), ("title", "tilte"), ("title", "post_title"), ("userId", "user_id"),
    ("created", "created_at"), ("likesCount", "count_of_likes"), ("description", "descriptions"),
  ])
  func keysOfTheSameMeaningAreNear(path: String, key: String) {
    #expect(UnreadKeys.areNear(path, key))
    #expect(UnreadKeys.areNear(key, path))
  }

  @Test(arguments: [
    ("title", "text_body"), ("stars_count", "forks_count"), ("id", "name"), ("user_id", "post_id"),
    ("name", ""),
    ("-", "name"),
  ])
  func otherKeysAreNot(path: String, key: String) {
    #expect(!UnreadKeys.areNear(path, key))
    #expect(!UnreadKeys.areNear(key, path))
  }

  @Test func keysThatAPropertyReadsAreLeftOut() throws {
    let schema = try ManagedObjectModel(entities: [
      EntityDescription(
        "Post",
        attributes: [
          AttributeDescription("stars", .int32, from: ["stars_count"]),
          AttributeDescription("forks", .int32, from: ["counts.stars"]),
        ])
    ]).schema
    let item = JSONDocument([
      "stars_count": 1, "star_count": 2, "counts": 3, "stargazers_count": 4, "starCount": 5,
      "counts_stars": 6,
    ]).root
    let keys = UnreadKeys(of: item, schema.entities[0], schema)
    #expect(keys.near(to: ["stars_count"]) == ["star_count", "stargazers_count", "starCount"])
    #expect(keys.near(to: ["text"]) == [])
  }

  /// The comparison of long keys must not take long.
  @Test(.timeLimit(.minutes(1))) func longKeysAreNotCompared() {
    let long = String(repeating: "a_", count: 500_000)
    #expect(!UnreadKeys.areNear(long, "a"))
    #expect(!UnreadKeys.areNear(long, long + "b"))
  }
}
