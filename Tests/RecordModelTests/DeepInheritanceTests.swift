import RecordModel
import TestSupport
import Testing

/// Hierarchies with many levels.
struct DeepInheritanceTests {
  private static let id = AttributeDescription("id", .int64)

  /// Returns a hierarchy in which each entity is the parent of the next.
  ///
  /// - Parameter own: a closure that returns the attributes that a level adds.
  private static func levels(_ count: Int, own: (Int) -> [AttributeDescription]) -> [EntityDescription] {
    (0..<count).map { level in
      EntityDescription(
        EntityName("E\(level)"), parent: level == 0 ? nil : EntityName("E\(level - 1)"),
        attributes: level == 0 ? [id] : own(level))
    }
  }

  @Test func levelsThatAddNothingAreCheckedInLinearTime() async throws {
    let factor = try await Growth.factor(from: 300) { count in
      Self.levels(count) { _ in [] }
    } work: { entities in
      _ = try ManagedObjectModel(entities: entities)
    }
    #expect(factor < Growth.bound)
  }

  /// Each level has a list of all inherited properties, which would be 50 million properties.
  @Test func levelsThatInheritTooMuchAreRefused() throws {
    let entities = Self.levels(10_000) { [AttributeDescription(PropertyName("a\($0)"), .int64)] }
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(entities: entities) }
    #expect(
      error?.problems.map(\.description) == [
        "/entities/E0: the sub-entities of 'E0' inherit 49995000 properties in total; at most 1000000 are allowed; inherit over fewer levels, or declare fewer properties in sub-entities"
      ])
  }

  /// Sibling entities never inherit too many properties if the store has enough columns.
  @Test func wideHierarchiesAreNotRefused() throws {
    let root = EntityDescription(
      "Root", attributes: (0..<998).map { AttributeDescription(PropertyName("a\($0)"), .int64) })
    let entities = (0..<998).map { number in
      EntityDescription(
        EntityName("E\(number)"), parent: "Root",
        attributes: [AttributeDescription(PropertyName("b\(number)"), .int64)])
    }
    _ = try ManagedObjectModel(entities: [root] + entities)
  }
}
