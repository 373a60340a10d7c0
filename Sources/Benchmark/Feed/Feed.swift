/// A response that is common in apps: the newest posts with nested users, sources and tags, each as often as it is
/// referred to. Every byte is determined by the number of posts.
struct Feed {
  /// The number of posts in each of many small responses.
  static let pageSize = 20

  let shape: FeedShape
  let bytes: [UInt8]
  /// The digest of a store that contains the whole feed.
  let digest: GraphDigest
  /// The ranges of the posts in `bytes`.
  private let ranges: [Range<Int>]

  /// Creates a feed.
  ///
  /// - Parameter isChanged: a Boolean value that indicates whether one post in twenty differs from the original feed.
  init(posts: Int, isChanged: Bool = false) {
    shape = FeedShape(posts: posts)
    var digest = GraphDigest()
    let users = (0..<shape.users).map { FeedUser($0, seed: FeedShape.seed) }
    let sources = (0..<shape.sources).map { FeedSource($0, seed: FeedShape.seed) }
    let tags = (0..<shape.tags).map(FeedTag.init)
    for user in users {
      digest.add(user.digest, to: .user)
      digest.add(user.countsDigest, to: .counts)
    }
    for source in sources { digest.add(source.digest, to: .source) }
    for tag in tags { digest.add(tag.digest, to: .tag) }

    // A user has the same text wherever it occurs.
    let userTexts = users.map { JSONText.text(of: $0) }
    let sourceTexts = sources.map { JSONText.text(of: $0) }
    let tagTexts = tags.map { JSONText.text(of: $0) }
    var text = JSONText()
    text.bytes.reserveCapacity(posts * 1100 + 1000)
    text.begin(envelopeOf: posts)
    var ranges: [Range<Int>] = []
    for index in 0..<posts {
      let post = FeedPost(index, shape: shape, isChanged: isChanged)
      digest.add(post.digest(users: users, sources: sources), to: .post)
      for tag in post.tags {
        var row = RowDigest()
        row.append(post.id)
        row.append(tags[tag].slug)
        digest.add(row, to: .postTag)
      }
      if index > 0 { text.bytes.append(UInt8(ascii: ",")) }
      let start = text.bytes.count
      text.append(
        post, user: userTexts[post.user], source: sourceTexts[post.source],
        tags: post.tags.map { tagTexts[$0] })
      ranges.append(start..<text.bytes.count)
    }
    text.endEnvelope()
    bytes = text.bytes
    self.digest = digest
    self.ranges = ranges
  }

  /// Returns the posts in responses of ``pageSize`` posts.
  func pages() -> [[UInt8]] {
    stride(from: 0, to: ranges.count, by: Self.pageSize).map { first in
      var text = JSONText()
      let posts = ranges[first..<min(first + Self.pageSize, ranges.count)]
      text.begin(envelopeOf: posts.count)
      for (position, range) in posts.enumerated() {
        if position > 0 { text.bytes.append(UInt8(ascii: ",")) }
        text.bytes.append(contentsOf: bytes[range])
      }
      text.endEnvelope()
      return text.bytes
    }
  }
}

// MARK: - Digests, column by column as in FeedTable

extension FeedUser {
  fileprivate var digest: RowDigest {
    var row = RowDigest()
    row.append(id)
    for text in [username, name, about, locale, timezone, avatarURL, coverURL] { row.append(text) }
    row.append(createdAt)
    row.append(isVerified ? Int64(1) : 0)
    row.append(kind)
    row.append(reputation)
    return row
  }

  fileprivate var countsDigest: RowDigest {
    var row = RowDigest()
    for number in [id, following, followers, posts, stars] { row.append(number) }
    return row
  }
}

extension FeedSource {
  fileprivate var digest: RowDigest {
    var row = RowDigest()
    for text in [clientID, name, link] { row.append(text) }
    return row
  }
}

extension FeedTag {
  fileprivate var digest: RowDigest {
    var row = RowDigest()
    for text in [slug, label] { row.append(text) }
    return row
  }
}

extension FeedPost {
  fileprivate func digest(users: [FeedUser], sources: [FeedSource]) -> RowDigest {
    var row = RowDigest()
    row.append(id)
    row.append(text)
    for number in [createdAt, editedAt, threadID, replyTo] { row.append(number) }
    row.append(language)
    for number in [replies, reposts, stars] { row.append(number) }
    row.append(isMachineOnly ? Int64(1) : 0)
    row.append(score)
    row.append(canonicalURL)
    row.append(users[user].id)
    row.append(sources[source].clientID)
    return row
  }
}
