import Foundation
import RecordModel

/// The feed as JSON text.
struct JSONText {
  var bytes: [UInt8] = []

  // MARK: Records

  static func text(of user: FeedUser) -> [UInt8] {
    var text = JSONText()
    text.append("{\"id\":\(user.id),\"username\":", string: user.username)
    text.append(",\"name\":", string: user.name)
    text.append(",\"description\":", string: user.about)
    text.append(",\"locale\":", string: user.locale)
    text.append(",\"timezone\":", string: user.timezone)
    text.append(",\"avatar_url\":", string: user.avatarURL)
    text.append(",\"cover_url\":", string: user.coverURL)
    text.append(",\"created_at\":", string: date(user.createdAt))
    text.append(",\"verified\":\(user.isVerified),\"type\":", string: user.kind)
    text.append(
      """
      ,"reputation":\(user.reputation),"counts":{"following":\(user.following),"followers":\(user.followers),\
      "posts":\(user.posts),"stars":\(user.stars)}}
      """)
    return text.bytes
  }

  static func text(of source: FeedSource) -> [UInt8] {
    var text = JSONText()
    text.append("{\"client_id\":", string: source.clientID)
    text.append(",\"name\":", string: source.name)
    text.append(",\"link\":", string: source.link)
    text.append("}")
    return text.bytes
  }

  static func text(of tag: FeedTag) -> [UInt8] {
    var text = JSONText()
    text.append("{\"slug\":", string: tag.slug)
    text.append(",\"label\":", string: tag.label)
    text.append("}")
    return text.bytes
  }

  mutating func append(_ post: FeedPost, user: [UInt8], source: [UInt8], tags: [[UInt8]]) {
    append("{\"id\":\(post.id),\"text\":", string: post.text)
    append(",\"created_at\":", string: Self.date(post.createdAt))
    append(",\"edited_at\":")
    if let date = post.editedAt { append(string: Self.date(date)) } else { append("null") }
    append(",\"thread_id\":\(post.threadID),\"reply_to\":\(post.replyTo.map(String.init) ?? "null")")
    append(",\"language\":", string: post.language)
    append(",\"num_replies\":\(post.replies),\"num_reposts\":\(post.reposts),\"num_stars\":\(post.stars)")
    append(",\"machine_only\":\(post.isMachineOnly),\"score\":\(post.score)")
    append(",\"canonical_url\":", string: post.canonicalURL)
    append(",\"user\":")
    bytes += user
    append(",\"source\":")
    bytes += source
    append(",\"tags\":[")
    for (position, tag) in tags.enumerated() {
      if position > 0 { append(",") }
      bytes += tag
    }
    append("]}")
  }

  // MARK: Envelope

  mutating func begin(envelopeOf count: Int) {
    append("{\"meta\":{\"code\":200,\"count\":\(count)},\"data\":[")
  }

  mutating func endEnvelope() { append("]}") }

  // MARK: Values

  private static func date(_ seconds: Int64) -> String {
    rfc3339Text(Date(timeIntervalSince1970: Double(seconds)))
  }

  private mutating func append(_ text: String) { bytes += text.utf8 }

  private mutating func append(_ text: String, string: String) {
    append(text)
    append(string: string)
  }

  private mutating func append(string: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      case UInt8(ascii: "\t"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
