import RecordEngine

/// Reading and setting properties of all posts, by typed properties and by the subscript of a record. All rows have been
/// read before.
struct PropertiesWorkload: Workload {
  typealias Post = FeedRecordTypes.Post
  typealias User = FeedRecordTypes.User

  enum Act: String, CaseIterable {
    case read, set

    /// The number of times that all posts are accessed in one measurement. Setting includes the first change of each
    /// record, so it is repeated only after a rollback.
    var passes: Int { self == .read ? 10 : 1 }
  }

  enum Property: String, CaseIterable {
    case integer, string
    case toOne = "to-one"

    var title: String {
      switch self {
      case .integer: "an integer"
      case .string: "a string"
      case .toOne: "a to-one"
      }
    }
  }

  enum Access: String, CaseIterable {
    case `subscript`, typed
  }

  let context: BenchmarkInput

  /// The measurements of each line in one round. The two kinds of access alternate, because their ratio is small.
  private static let repetitions = 3

  let maximumRounds = 3

  static var lines: [Line] {
    Act.allCases.flatMap { act in
      Property.allCases.flatMap { property in Access.allCases.map { line(act, property, $0) } }
    }
  }

  var lines: [Line] { Self.lines }

  static func line(_ act: Act, _ property: Property, _ access: Access) -> Line {
    Line(.properties, "\(act.rawValue).\(property.rawValue).\(access.rawValue)")
  }

  /// Returns the line of the subscript that corresponds to a line.
  static func subscriptLine(beside line: Line) -> Line? {
    parts(of: line).map { Self.line($0.act, $0.property, .subscript) }
  }

  static func title(of line: Line) -> String? {
    guard let (act, property, access) = parts(of: line) else { return nil }
    let times = act.passes == 1 ? "" : ", \(act.passes) times"
    return "\(act.rawValue) \(property.title), \(access == .typed ? "typed" : "subscript")\(times)"
  }

  private static func parts(of line: Line) -> (act: Act, property: Property, access: Access)? {
    let parts = line.part.split(separator: ".").map(String.init)
    guard parts.count == 3, let act = Act(rawValue: parts[0]), let property = Property(rawValue: parts[1]),
      let access = Access(rawValue: parts[2])
    else { return nil }
    return (act, property, access)
  }

  func run(chosen: Set<Line>, record: (Line, TimeTaken) -> Void) async throws {
    let records = try await Records(context.feed)
    for act in Act.allCases {
      for property in Property.allCases {
        for _ in 1...Self.repetitions {
          for access in Access.allCases where chosen.contains(Self.line(act, property, access)) {
            let line = Self.line(act, property, access)
            let (result, duration) = try await Stopwatch.measure {
              var sum = 0
              for _ in 1...act.passes {
                switch act {
                case .read: sum &+= records.read(property, access)
                case .set: records.set(property, access)
                }
              }
              return sum
            }
            record(line, duration)
            if act == .read {
              try expect(result, toBe: act.passes * records.sum(property), "as the sum of the values", line)
            } else {
              try records.checkAndRollBack(property, line)
            }
          }
        }
      }
    }
  }

  /// The posts of a context, with their rows.
  private struct Records {
    let context: ManagedObjectContext
    let posts: [Post]
    /// The values before any was set.
    let stars: [Int]
    let texts: [String]
    let users: [User]

    init(_ feed: Feed) async throws {
      context = try await feed.container(file: nil).makeContext()
      posts = try context.fetch(Post.self)
      stars = posts.map(\.stars)
      texts = posts.compactMap(\.text)
      users = posts.compactMap(\.user)
      guard texts.count == posts.count, users.count == posts.count else {
        throw BenchmarkFailure("posts without a text or a user")
      }
    }

    /// Returns a sum that depends on each value.
    func sum(_ property: Property) -> Int {
      switch property {
      case .integer: stars.reduce(0, &+)
      case .string: texts.reduce(0) { $0 &+ $1.utf8.count }
      case .toOne: users.reduce(0) { $0 &+ Int($1.recordID.serial) }
      }
    }

    func read(_ property: Property, _ access: Access) -> Int {
      var sum = 0
      switch (property, access) {
      case (.integer, .subscript): for post in posts { sum &+= post["stars"] as Int? ?? 0 }
      case (.integer, .typed): for post in posts { sum &+= post.stars }
      case (.string, .subscript): for post in posts { sum &+= (post["text"] as String?)?.utf8.count ?? 0 }
      case (.string, .typed): for post in posts { sum &+= post.text?.utf8.count ?? 0 }
      case (.toOne, .subscript):
        for post in posts { sum &+= (post["user"] as User?).map { Int($0.recordID.serial) } ?? 0 }
      case (.toOne, .typed): for post in posts { sum &+= post.user.map { Int($0.recordID.serial) } ?? 0 }
      }
      return sum
    }

    /// Sets the property of each post to the value of the post at the other end of the list.
    func set(_ property: Property, _ access: Access) {
      switch (property, access) {
      case (.integer, .subscript): for (post, value) in zip(posts, stars.reversed()) { post["stars"] = value }
      case (.integer, .typed): for (post, value) in zip(posts, stars.reversed()) { post.stars = value }
      case (.string, .subscript): for (post, value) in zip(posts, texts.reversed()) { post["text"] = value }
      case (.string, .typed): for (post, value) in zip(posts, texts.reversed()) { post.text = value }
      case (.toOne, .subscript): for (post, value) in zip(posts, users.reversed()) { post["user"] = value }
      case (.toOne, .typed): for (post, value) in zip(posts, users.reversed()) { post.user = value }
      }
    }

    func checkAndRollBack(_ property: Property, _ line: Line) throws {
      let isSet =
        switch property {
        case .integer: posts.map(\.stars) == stars.reversed()
        case .string: posts.map(\.text) == texts.reversed()
        case .toOne: posts.map(\.user) == users.reversed()
        }
      guard isSet else { throw BenchmarkFailure("\(line.name): the values were not set") }
      context.rollback()
    }
  }
}
