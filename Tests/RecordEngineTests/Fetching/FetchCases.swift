@testable import RecordEngine

/// A predicate on the records of ``FetchWorld``, and the records that match it.
struct FetchCase: CustomStringConvertible {
  let entity: String
  let predicate: String
  /// The ids of the matching records, oldest first.
  let ids: String
  /// A Boolean value that indicates whether the predicate has the same meaning for raw dictionaries, which have no
  /// dates, decimals or identity.
  let isForDictionaries: Bool

  init(_ entity: String, _ predicate: String, _ ids: String, isForDictionaries: Bool = true) {
    self.entity = entity
    self.predicate = predicate
    self.ids = ids
    self.isForDictionaries = isForDictionaries
  }

  var description: String { "\(entity) where \(predicate)" }
}

extension FetchCase {
  /// Cases for all features of predicates, for every store and for dictionaries.
  static let all: [FetchCase] =
    nils + numbers + decimals + booleans + texts + dates + others + toOnes + toManys + subEntities + logic

  private static func posts(
    _ cases: [(String, String)], isForDictionaries: Bool = true
  ) -> [FetchCase] {
    cases.map { FetchCase("Post", $0.0, $0.1, isForDictionaries: isForDictionaries) }
  }

  static let nils = posts([
    ("text == nil", "6"), ("text != nil", "1 2 3 4 5"), ("nil == text", "6"), ("likes == nil", "6"),
    ("likes != 7", "2 3 4 6"), ("likes != nil", "1 2 3 4 5"), ("NOT likes == 7", "2 3 4 6"),
    ("NOT likes < 5", "1 2 5 6"), ("NOT likes >= 5", "3 4 6"), ("likes < nil", ""), ("likes >= nil", ""),
    ("NOT likes > nil", "1 2 3 4 5 6"), ("likes IN {7, nil}", "1 5 6"), ("NOT likes IN {7}", "2 3 4 6"),
    ("NOT text CONTAINS 'l'", "3 4 6"), ("text BEGINSWITH ''", "1 2 3 4 5"), ("text != 'Hello'", "2 3 4 5 6"),
    ("nil == nil", "1 2 3 4 5 6"), ("nil != nil", ""), ("1 == nil", ""), ("isDraft == nil", "4 5 6"),
    ("isDraft != nil", "1 2 3"), ("isDraft != YES", "2 3 4 5 6"), ("NOT isDraft == YES", "2 3 4 5 6"),
    ("likes BETWEEN {nil, 9}", ""), ("NOT likes BETWEEN {0, 9}", "2 4 6"), ("price == nil", "6"),
    ("NOT price < 0", "1 2 3 5 6"), ("date == nil", "4 5 6"),
    ("NOT date > '1980-01-01T00:00:00Z'", "3 4 5 6"),
    ("extra == nil", "6"), ("image == nil", "3 4 5 6"),
  ])

  static let numbers = posts([
    ("likes == 7", "1 5"), ("likes == 7.0", "1 5"), ("likes == 70e-1", "1 5"), ("7 == likes", "1 5"),
    ("likes == 7.5", ""), ("likes < 7.5", "1 3 4 5"), ("likes <= 7", "1 3 4 5"),
    ("likes > 6.999999999999999999999", "1 2 5"),
    ("likes >= 7", "1 2 5"), ("7 < likes", "2"), ("8 >= likes", "1 3 4 5"), ("7 <= likes", "1 2 5"),
    ("7 > likes", "3 4"), ("likes < 1e400", "1 2 3 4 5"),
    ("likes > -1e400", "1 2 3 4 5"), ("likes > 1e400", ""), ("likes != 1e400", "1 2 3 4 5 6"),
    ("likes == -0", "3"),
    ("likes < 99999999999999999999", "1 2 3 4 5"), ("likes > -99999999999999999999", "1 2 3 4 5"),
    ("likes == '7'", ""), ("likes != '7'", "1 2 3 4 5 6"), ("likes < '8'", ""), ("likes CONTAINS '7'", ""),
    ("likes LIKE '7'", ""), ("likes IN {7, 10.0}", "1 2 5"), ("likes IN {'7', 0}", "3"), ("likes IN {}", ""),
    ("likes BETWEEN {0, 7}", "1 3 5"), ("likes BETWEEN {-0.5, 6.5}", "3"), ("likes BETWEEN {9, 1}", ""),
    ("likes == YES", ""), ("likes == NO", "3"), ("likes < YES", "3 4"),
    ("big == 9007199254740993", "1"), ("big == 9007199254740992", "2"), ("big == 9007199254740992.0", "2"),
    ("big > 9007199254740992.5", "1 3"), ("big == 9223372036854775807", "3"),
    ("big < 9223372036854775808", "1 2 3 4"),
    ("big >= 9223372036854775808", ""), ("big == -9223372036854775808", "4"),
    ("big > -9223372036854775809", "1 2 3 4"),
    ("big == 9.223372036854775807e18", "3"), ("likes < big", "1 2 3"), ("likes == likes", "1 2 3 4 5 6"),
    ("big > score", "1 2 3"), ("big == score", "5 6"), ("likes == score", "6"),
    ("likes != score", "1 2 3 4 5"),
    ("score == 0.1", "1"), ("score == 0.1000000000000000055", ""), ("score < 0.1000000000000000055", "1 3"),
    ("score <= 0.1000000000000000055", "1 3"), ("score >= 0.1000000000000000055", "2 4"),
    ("score >= 0.1", "1 2 4"),
    ("score > 0.09999999999999999999999", "1 2 4"), ("score <= 0.09999999999999999999999", "3"),
    ("score == 7", "2"), ("score < 1e400", "1 2 3 4"),
    ("score > -1e400", "1 2 3 4"), ("score > 1e400", ""), ("score == -1e300", "3"),
    ("score > 9007199254740991", "4"),
    (
      "score IN {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}", "1 2"
    ),
    ("score IN {7, 0.1}", "1 2"), ("score BETWEEN {0, 7}", "1 2"),
    ("NOT score < 5", "2 4 5 6"), ("score != 7", "1 3 4 5 6"), ("ratio == 0.1", "1"),
    ("ratio < 0.10000000149", "1 3"),
    ("ratio > 0.1", "2"), ("ratio == -2.5", "3"), ("ratio == 7", "2"), ("ratio == score", "1 2 5 6"),
  ])

  static let decimals = posts([
    ("price == 9.95", "1 5"), ("price == 9.9500", "1 5"), ("price < 10", "1 4 5"), ("price > 9.95", "2 3"),
    ("price >= 9.95", "1 2 3 5"), ("price == 12345678901234567890.123456789", "3"),
    ("price > 12345678901234567890.123456788", "3"), ("price < 0", "4"), ("price IN {10, -0.5}", "2 4"),
    ("price BETWEEN {9, 10.0}", "1 2 5"), ("price > likes", "1 3 4 5"), ("price == likes", "2 6"),
    ("price != 10", "1 3 4 5 6"),
    ("price == '10'", ""), ("price != nil", "1 2 3 4 5"),
  ])

  static let booleans = posts([
    ("isDraft == YES", "1"), ("isDraft == 1", "1"), ("isDraft == 0", "2 3"), ("isDraft == 2", ""),
    ("isDraft < YES", "2 3"),
    ("isDraft > 0.5", "1"), ("isDraft == 'true'", ""), ("isDraft IN {NO}", "2 3"),
    ("isDraft <= likes", "1 2 3"),
    ("isDraft BETWEEN {0, 1}", "1 2 3"), ("isDraft == TRUE AND likes > 0", "1"),
  ])

  static let texts = posts([
    ("text == 'Hello'", "1"), ("text == 'hello'", ""), ("text ==[c] 'hELLO'", "1"),
    ("text !=[c] 'hello'", "2 3 4 5 6"),
    ("text < 'b'", "1"), ("text >= 'c'", "2 3 4 5"), ("text > 'cafe'", "2 3 4 5"),
    ("text <[c] 'i'", "1 2 3 4"),
    ("text == \"caf\u{E9}\"", "3"), ("text == \"cafe\u{301}\"", "4"), ("text ==[d] 'cafe'", "3 4"),
    ("text ==[cd] 'CAFE'", "3 4"), ("text ==[c] \"CAF\u{C9}\"", "3"), ("text > \"cafe\u{301}\"", "2 3 5"),
    ("text CONTAINS 'ell'", "1 2"), ("text CONTAINS[c] 'HELLO'", "1 2"), ("text CONTAINS 'e'", "1 2 4 5"),
    ("text CONTAINS ''", "1 2 3 4 5"), ("text CONTAINS 'hidden'", "5"), ("text ENDSWITH 'hidden'", "5"),
    ("text == 'nul'", ""), ("text BEGINSWITH 'nul'", "5"), ("text == \"nul\u{0}hidden\"", "5"),
    ("text > 'nul'", "5"), ("text < \"nul\u{0}z\"", "1 2 3 4 5"), ("text LIKE 'nul?hidden'", "5"),
    ("text BEGINSWITH 'He'", "1"), ("text BEGINSWITH[c] 'he'", "1 2"), ("text BEGINSWITH[cd] 'CAFE'", "3 4"),
    ("text BEGINSWITH 'cafe'", "4"), ("text ENDSWITH 'o'", "1"), ("text ENDSWITH[c] 'WORLD'", "2"),
    ("text LIKE '*l*'", "1 2 5"), ("text LIKE 'H?llo'", "1"), ("text LIKE[c] 'hello*'", "1 2"),
    ("text LIKE 'caf?'", "3"),
    ("text LIKE 'caf??'", "4"), ("text LIKE '*%*'", ""), ("text MATCHES 'H.*'", "1"),
    ("text MATCHES 'Hell'", ""),
    ("text MATCHES[c] 'hello.*'", "1 2"), ("'ell' IN text", "1 2"), ("text IN 'xHellox'", "1"),
    ("text IN {'Hello', 'nul'}", "1"), ("text IN[c] {'HELLO', 'hello world'}", "1 2"),
    ("text BETWEEN {'A', 'd'}", "1 3 4"), ("text == id", ""), ("id < text", "1 2 3 4 5"), ("id == '1'", "1"),
    ("id IN {'2', '4'}", "2 4"), ("id > '4'", "5 6"), ("text == 7", ""), ("text != 7", "1 2 3 4 5 6"),
    ("text < 7", ""), ("'a' == 'a'", "1 2 3 4 5 6"), ("'a' == 'b'", ""),
  ])

  /// Comparisons of dates. In dictionaries, dates are texts.
  static let dates = posts(
    [
      ("date == '2000-01-01T00:00:00Z'", "1"), ("date == '2000-01-01T01:00:00+01:00'", "1"),
      ("date > '2000-01-01T00:00:00Z'", "2"), ("date >= CAST('2000-01-01T00:00:00Z', 'NSDate')", "1 2"),
      ("date < CAST(0, 'NSDate')", "1 2 3"), ("date < '1970-01-01T00:00:00Z'", "3"),
      ("date != '2000-01-01T00:00:00Z'", "2 3 4 5 6"), ("date == '2000-01-01'", ""),
      ("date != '2000-01-01'", "1 2 3 4 5 6"),
      ("date > '2000-01-01'", ""), ("date == 'soon'", ""),
      ("date BETWEEN {'2000-01-01T00:00:00Z', '2000-01-01T00:00:01Z'}", "1 2"),
      ("date IN {'2000-01-01T00:00:00Z', '1969-07-20T20:17:40Z'}", "1 3"), ("date > 0", ""),
      ("date == date", "1 2 3 4 5 6"),
      ("date LIKE '2000*'", ""), ("date < likes", ""), ("date == text", "6"),
      ("'2000-01-01T00:00:00.5Z' == date", "2"), ("'2000-01-01T00:00:00.25Z' < date", "2"),
      ("NOT date IN {'2000-01-01T00:00:00Z'}", "2 3 4 5 6"),
    ], isForDictionaries: false)

  static let others =
    posts([
      ("uuid == 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'", "1"),
      ("uuid == 'e621e1f8-c36c-495a-93fc-0c247a3e6e5f'", ""),
      ("uuid ==[c] 'e621e1f8-c36c-495a-93fc-0c247a3e6e5f'", "1"), ("uuid != nil", "1"),
      ("uuid BEGINSWITH 'E6'", "1"),
      (
        "uuid IN {\((10...30).map { "'00000000-0000-0000-0000-0000000000\($0)'" }.joined(separator: ", ")), "
          + "'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'}", "1"
      ),
      ("link == 'https://example.com/a'", "1"), ("link CONTAINS 'example'", "1"), ("link > 'h'", "1"),
      ("extra == 'plain'", "2"), ("extra == 12", "3"), ("extra > 11.5", "3"), ("extra == YES", "4"),
      ("extra CONTAINS 'two'", "5"), ("extra CONTAINS 1", "5"), ("ANY extra == 1", "4 5"),
      ("extra LIKE 'pl*'", "2"),
      ("extra != nil", "1 2 3 4 5"),
    ])
    + posts(
      [
        ("image != nil", "1 2"), ("image == image", "1 2 3 4 5 6"), ("image == 'AQI='", ""),
        ("image < 'z'", ""),
        ("extra.k == 1", ""), ("extra.k == nil", "1 2 3 4 5 6"), ("SELF != nil", "1 2 3 4 5 6"),
        ("SELF == SELF", "1 2 3 4 5 6"),
        ("score == 'inf'", ""), ("score != nil", "1 2 3 4"),
      ], isForDictionaries: false)

  static let toOnes =
    posts([
      ("user.name == 'Ada'", "1 2"), ("user.name ==[c] 'BOB'", "3"), ("user.name == nil", "4 5 6"),
      ("user.name != 'Ada'", "3 4 5 6"), ("user.age > 25", "1 2"), ("NOT user.age > 25", "3 4 5 6"),
      ("user == nil", "5 6"),
      ("user != nil", "1 2 3 4"), ("user.boss.name == 'Ada'", "3"), ("user.boss == nil", "1 2 4 5 6"),
      ("editor.name == user.name", "1 4 5 6"), ("user.age > likes", "1 2 3"),
      ("user.id IN {'a', 'c'}", "1 2 4"),
      ("user < 'x'", ""), ("user == 'a'", ""), ("user.name BEGINSWITH 'A' AND likes > 7", "2"),
      ("user.staff.@count == 1", "1 2"), ("user.staff.@count == nil", "5 6"),
      ("user.posts.@count > 1", "1 2"),
    ])
    + posts(
      [
        ("user < editor", ""), ("user == editor", "1 5 6"), ("user != editor", "2 3 4"),
        ("user IN {editor}", "1 5 6"),
        ("ANY likers == user", "1"), ("user IN likers", "1"), ("likers CONTAINS editor", "1"),
        ("editor == user.boss", "4 5 6"), ("ANY user.posts.user.name == 'Ada'", "1 2"),
      ],
      isForDictionaries: false)
    + [
      FetchCase("User", "boss.name == 'Ada'", "b"), FetchCase("User", "boss == nil", "a c"),
      FetchCase("User", "boss != nil AND age < 30", "b"),
    ]

  static let toManys =
    posts([
      ("ANY tags.text == 'Linux'", "1 2 3"), ("ANY tags.text ==[c] 'SWIFT'", "1"),
      ("ANY tags.text == nil", "3"),
      ("ALL tags.text == 'Linux'", "2 4 5 6"), ("ALL tags.text != nil", "1 2 4 5 6"),
      ("NONE tags.text == 'swift'", "2 3 4 5 6"),
      ("NOT ANY tags.text == 'swift'", "2 3 4 5 6"), ("SOME tags.weight > 1.9", "1 2 3"),
      ("ALL tags.weight > 1.9", "2 4 5 6"),
      ("ANY tags.text IN {'swift', 'go'}", "1"), ("ANY tags.text LIKE 'L*'", "1 2 3"),
      ("ALL tags.text BEGINSWITH 'L'", "2 4 5 6"),
      ("ANY tags.weight BETWEEN {1, 1.6}", "1"), ("tags.@count == 2", "1 3"), ("tags.@count > 0", "1 2 3"),
      ("tags.@count == 0", "4 5 6"), ("tags.@count BETWEEN {1, 1}", "2"), ("tags.@count IN {1, 2}", "1 2 3"),
      ("tags.@count < likes", "1 2 5"), ("tags.text CONTAINS 'Linux'", "1 2 3"),
      ("tags.text CONTAINS 'lin'", ""),
      ("tags.text CONTAINS[c] 'LINUX'", "1 2 3"), ("'swift' IN tags.text", "1"),
      ("tags.text CONTAINS nil", "3"),
      ("text IN tags.text", ""), ("tags.text == 'Linux'", ""), ("tags.text != 'Linux'", "1 2 3 4 5 6"),
      ("tags == nil", ""),
      ("tags != nil", "1 2 3 4 5 6"), ("tags.weight < 5", ""), ("ANY likers.name == 'Ada'", "1"),
      ("ANY likers.name == nil", "5"),
      ("likers.@count == 2", "1"), ("ALL likers.age > 18", "1 2 3 4 6"),
      ("ANY likers.boss.name == 'Ada'", "1"),
      ("ANY user.posts.likes == 10", "1 2"), ("ALL user.posts.likes > 5", "1 2 5 6"),
      ("ANY user.posts.tags.text == 'swift'", "1 2"),
      ("ANY tags.posts.@count > 2", "1 2 3"), ("ALL tags.posts.@count > 2", "2 4 5 6"),
      ("ANY user.name == 'Ada'", "1 2"),
      ("ALL user.name == 'Ada'", "1 2 4 5 6"), ("ANY text == 'Hello'", "1"), ("ALL likes == 7", "1 5 6"),
      ("ANY likes == nil", ""),
      ("ANY tags.weight > likes", "3"), ("ANY tags.text == text", ""), ("ANY media.id == 'p'", "1"),
      ("ANY media.post.likes == 7", "1"),
    ])
    + posts(
      [
        ("ANY likers == user", "1"), ("likers CONTAINS user", "1"), ("user IN likers", "1"),
        ("editor IN likers", "1"),
        ("ANY likers.posts != nil", "1 5"), ("ANY likers.boss == editor", "1 5"),
        ("ANY tags != nil", "1 2 3"), ("ANY tags == nil", ""), ("ANY likers IN {user, editor}", "1"),
        ("ANY user != nil", "1 2 3 4"), ("ALL user == editor", "1 5 6"),
      ], isForDictionaries: false
    )
    + [
      FetchCase("Tag", "ANY posts.extra == 'plain'", "y"),
      FetchCase("User", "ANY posts.extra == 'plain'", "a"),
      FetchCase("User", "posts.@count == 2", "a"), FetchCase("User", "ANY posts.tags.text == 'swift'", "a"),
      FetchCase("User", "ALL posts.likes > 5", "a"), FetchCase("User", "staff.@count > 0", "a"),
      FetchCase("User", "NONE staff.age < 30", "b c"),
      FetchCase("User", "posts.@count > staff.@count", "a b c"),
      FetchCase("Tag", "ANY posts.user.name == 'Ada'", "x y"), FetchCase("Tag", "posts.@count == 1", "x z"),
    ]

  static let subEntities = [
    FetchCase("Media", "id != nil", "p q v w"), FetchCase("Photo", "TRUEPREDICATE", "p q"),
    FetchCase("Media", "width > 300", "p q"), FetchCase("Media", "width == nil", "v w"),
    FetchCase("Media", "length == 9", "v"),
    FetchCase("Media", "caption ==[c] 'SEA'", "p v"), FetchCase("Media", "caption == 'Sea'", "p"),
    FetchCase("Media", "caption == nil", "q"), FetchCase("Media", "caption != 'sea'", "p q w"),
    FetchCase("Media", "caption < 'b'", "p w"),
    FetchCase("Media", "size == 5", "p"), FetchCase("Media", "size == '5'", "v"),
    FetchCase("Media", "size != nil", "p v w"),
    FetchCase("Media", "size IN {5, 'large'}", "p w"), FetchCase("Video", "size == '5'", "v"),
    FetchCase("Photo", "size < 6", "p"),
    FetchCase("Video", "caption == 'Land' OR length > 5", "v w"),
    FetchCase("Media", "post.text == 'Hello'", "p v"),
    FetchCase("Post", "ANY media.width > 600", "1"), FetchCase("Post", "ANY media.caption == 'sea'", "1"),
    FetchCase("Post", "ANY media.size == 5", "1"), FetchCase("Post", "ALL media.width != nil", "2 3 4 5 6"),
    FetchCase("Post", "media.@count == 2", "1"), FetchCase("Media", "post == nil", "w"),
  ]

  static let logic = posts([
    ("TRUEPREDICATE", "1 2 3 4 5 6"), ("FALSEPREDICATE", ""), ("FALSEPREDICATE OR FALSEPREDICATE", ""),
    ("NOT FALSEPREDICATE", "1 2 3 4 5 6"),
    ("likes == 7 AND text == 'Hello'", "1"), ("likes == 7 OR likes == 10", "1 2 5"),
    ("NOT (likes == 7 OR likes == nil)", "2 3 4"), ("NOT (likes > 5 AND likes < 9)", "2 3 4 6"),
    ("likes == 7 AND (text == nil OR text CONTAINS 'hidden')", "5"), ("NOT NOT likes == 7", "1 5"),
    ("likes > 5 AND ANY tags.text == 'Linux' AND text LIKE[c] 'h*'", "1 2"),
    ("likes < 5 OR extra == 'plain'", "2 3 4"), ("extra == 'plain' AND likes == 10", "2"),
    ("NOT (extra == 'plain' AND likes == 10)", "1 3 4 5 6"),
  ])
}
