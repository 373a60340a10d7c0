import RecordModel
import Testing

@testable import RecordEngine

/// Tests for wrong names, values and records. Those of another entity of the inheritance tree have no effect, and the
/// others stop the program.
@Suite struct ProgrammingErrorTests {
  /// The properties of another entity of the inheritance tree are empty, and its records cannot be linked.
  @Test func recordsOfAnotherEntityOfTheTree() throws {
    let (context, post) = try ContextStateTests.saved(ContextStateTests.container())
    let (photo, video) = (
      try context.insert(ContextStateTests.Photo.self), try context.insert(ContextStateTests.Video.self)
    )
    video["next"] = photo
    #expect(video["next"] as Record? == nil)
    post["cover"] = photo
    post["cover"] = video
    #expect(post["cover"] as Record? === photo)
    post["photos"] = [video, photo] as [Record]
    post.add(video, to: "photos")
    #expect((post["photos"] as [Record]).map(\.recordID) == [photo.recordID])
  }

  #if compiler(>=6.2)
    @Test func stopTheProgram() async {
      await #expect(processExitsWith: .failure) {
        try ContextStateTests.saved(ContextStateTests.container()).1["text"] = 7
      }
      var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (context, post) = try ContextStateTests.saved(ContextStateTests.container())
        post["items"] = try context.insert(ContextStateTests.Photo.self)
      }
      var message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(message.contains("'Post' has no to-one relationship 'items'"), "\(message)")
      result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (context, post) = try ContextStateTests.saved(ContextStateTests.container())
        post["cover"] = [try context.insert(ContextStateTests.Photo.self)]
      }
      message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(message.contains("'Post' has no to-many relationship 'cover'"), "\(message)")
      await #expect(processExitsWith: .failure) {
        let (context, post) = try ContextStateTests.saved(ContextStateTests.container())
        try context.insert(ContextStateTests.Photo.self)["post"] = post
      }
      await #expect(processExitsWith: .failure) {
        let (_, post) = try ContextStateTests.saved(ContextStateTests.container())
        post["items"] = [post]
      }
      await #expect(processExitsWith: .failure) {
        let (context, post) = try ContextStateTests.saved(ContextStateTests.container())
        _ = context.updates(of: post, properties: ["txet"])
      }
      await #expect(processExitsWith: .failure) {
        let container = try ContextStateTests.container()
        let (_, post) = try ContextStateTests.saved(container)
        await container.batch(context: container.makeContext()) { batch in
          batch.requestDetail(of: post) { (_: Result<RequestResult<Record>, any Error>) in }
        }
      }
    }

    private static func message(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    /// The contexts of different containers can have the same identifier.
    @Test func aSaveOfAnotherContainerStopsTheProgram() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let container = try ContextStateTests.container()
        var saves = container.saves.makeAsyncIterator()
        _ = try ContextStateTests.saved(container)
        let save = try #require(await saves.next())
        let other = try ContextStateTests.container().makeContext()
        other.merge(save)
      }
      #expect(Self.message(result).contains("the save belongs to another container"))
    }

    @Test func aNameOfAnotherTreeStopsTheProgram() async {
      var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (context, _) = try ContextStateTests.saved(ContextStateTests.container())
        _ = try context.insert("Photo")["text"] as String?
      }
      #expect(Self.message(result).contains("'Photo' has no attribute 'text'"))
      result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (context, _) = try ContextStateTests.saved(ContextStateTests.container())
        _ = try context.insert("Photo")["items"] as [Record]
      }
      #expect(Self.message(result).contains("'Photo' has no to-many relationship 'items'"))
    }

    @Test func aMemberOfAnotherTreeStopsTheProgram() async {
      var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (_, post) = try ContextStateTests.saved(ContextStateTests.container())
        post.add(post, to: "items")
      }
      #expect(Self.message(result).contains("the destination of 'items' is 'Item'"))
      result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (_, post) = try ContextStateTests.saved(ContextStateTests.container())
        post.remove(post, from: "items")
      }
      #expect(Self.message(result).contains("the destination of 'items' is 'Item'"))
    }
  #endif
}
