// The records of the feed before they become text. Every value is determined by the seed and an index.

struct FeedUser {
  var id: Int64
  var username, name, about, locale, timezone, avatarURL, coverURL: String
  /// The creation date, in seconds since 1970.
  var createdAt: Int64
  var isVerified: Bool
  var kind: String
  var reputation: Double
  var following, followers, posts, stars: Int64

  init(_ index: Int, seed: UInt64) {
    var numbers = SeededNumbers(seed: seed, stream: 1 << 32 | UInt64(index))
    // The prime modulus makes the identifiers scattered and unique.
    id = 1000 + Int64(index + 1) * 48271 % 2_147_483_647
    let (first, second) = (numbers.pick(FeedWords.plain), numbers.pick(FeedWords.plain))
    username = "\(first)_\(second)_\(index)"
    name = "\(first.capitalized) \(second.capitalized)"
    about = FeedWords.sentence(of: 6 + numbers.next(below: 6), &numbers)
    locale = numbers.pick(["en_US", "de_DE", "sv_SE", "ja_JP", "pt_BR", "en_GB"])
    timezone = numbers.pick(["America/New_York", "Europe/Berlin", "Europe/Stockholm", "Asia/Tokyo", "UTC"])
    avatarURL = "https://images.example.com/avatars/\(String(numbers.next() >> 16, radix: 36)).jpg"
    coverURL = "https://images.example.com/covers/\(String(numbers.next() >> 16, radix: 36)).jpg"
    createdAt = 1_300_000_000 + Int64(numbers.next(below: 90_000_000))
    isVerified = numbers.once(in: 9)
    kind = numbers.once(in: 20) ? "bot" : "human"
    reputation = Double(numbers.next(below: 1_000_000)) / 1000
    following = Int64(numbers.next(below: 2000))
    followers = Int64(numbers.next(below: 50_000))
    posts = Int64(numbers.next(below: 30_000))
    stars = Int64(numbers.next(below: 9000))
  }
}

struct FeedSource {
  var clientID, name, link: String

  init(_ index: Int, seed: UInt64) {
    var numbers = SeededNumbers(seed: seed, stream: 2 << 32 | UInt64(index))
    clientID = "client-\(index)-\(String(numbers.next(), radix: 36))"
    name = "\(numbers.pick(FeedWords.plain).capitalized) for \(numbers.pick(["Web", "Phone", "Desktop"]))"
    link = "https://\(numbers.pick(FeedWords.plain))-\(index).example.com/download"
  }
}

struct FeedTag {
  var slug, label: String

  init(_ index: Int) {
    let word = FeedWords.plain[index % FeedWords.plain.count]
    slug = "\(word)-\(index)"
    label = word.capitalized
  }
}

struct FeedPost {
  var id: Int64
  var text: String
  /// The creation date, in seconds since 1970.
  var createdAt: Int64
  var editedAt: Int64?
  var threadID: Int64
  var replyTo: Int64?
  var language: String
  var replies, reposts, stars: Int64
  var isMachineOnly: Bool
  var score: Double
  var canonicalURL: String
  /// The indices of the user and the source.
  var user, source: Int
  /// The indices of three different tags.
  var tags: [Int]

  static func id(_ index: Int) -> Int64 { 10_000_000 + Int64(index) }

  init(_ index: Int, shape: FeedShape, isChanged: Bool) {
    var numbers = SeededNumbers(seed: FeedShape.seed, stream: 3 << 32 | UInt64(index))
    id = Self.id(index)
    text = FeedWords.sentence(of: 8 + numbers.next(below: 14), &numbers)
    createdAt = 1_400_000_000 + Int64(index) * 7
    editedAt = numbers.once(in: 4) ? createdAt + Int64(numbers.next(below: 86_400)) : nil
    threadID = 10_000_000 + Int64(numbers.next(below: index + 1))
    replyTo = numbers.once(in: 2) ? threadID : nil
    language =
      FeedShape.isRare(index) ? FeedShape.rareLanguage : numbers.pick(["en", "de", "sv", "ja", "pt"])
    replies = Int64(numbers.next(below: 40))
    reposts = Int64(numbers.next(below: 300))
    stars = Int64(numbers.next(below: 1000))
    isMachineOnly = numbers.once(in: 50)
    score = Double(numbers.next(below: 10_000_000)) / 10_000
    // Every user, source and tag occurs at least once. Users first occur in the order of their indices.
    user = index % 5 == 0 ? index / 5 : numbers.next(below: index / 5 + 1)
    canonicalURL = "https://example.com/\(user)/posts/\(id)"
    source = index < shape.sources ? index : numbers.next(below: shape.sources)
    tags = [index < shape.tags ? index : numbers.next(below: shape.tags)]
    while tags.count < 3 {
      let tag = numbers.next(below: shape.tags)
      if !tags.contains(tag) { tags.append(tag) }
    }
    if isChanged, FeedShape.isChangeable(index) {
      text += " (edited)"
      stars += 1
    }
  }
}

/// The number of records of each kind.
struct FeedShape {
  static let seed: UInt64 = 20_140_101

  /// The language of one post in twenty.
  static let rareLanguage = "is"

  let posts: Int
  var users: Int { (posts + 4) / 5 }
  var sources: Int { min(40, posts) }
  var tags: Int { min(300, posts) }

  var records: Int { posts + 2 * users + sources + tags }
  var rows: Int { records + 3 * posts }

  /// Returns whether a post is one of the 5 % that differ in a changed feed.
  static func isChangeable(_ post: Int) -> Bool { post % 20 == 7 }
  var changedPosts: Int { (0..<posts).count { Self.isChangeable($0) } }

  /// Returns whether a post is in the rare language.
  static func isRare(_ post: Int) -> Bool { post % 20 == 3 }
  var rarePosts: Int { (0..<posts).count { Self.isRare($0) } }
}
