/// The keys, parameters and headers whose values are secrets or names of persons.
enum PersonalKeys {
  /// Returns a Boolean value that indicates whether the value of a key is a secret, such as a password or a token.
  static func isSecret(_ key: String) -> Bool {
    let words = KeyWords.words(of: key).map { Nouns.singular(withoutNumber($0)) }
    if secrets.contains(words.joined()) { return true }
    guard words.count > 1, let last = words.last else { return false }
    if last == "token" { return !isPosition(words) }
    if last == "key" { return keyKinds.contains(words[words.count - 2]) }
    return secretEndings.contains(last) || words.contains { passwords.contains($0) }
  }

  /// Returns a Boolean value that indicates whether the value of a parameter of an address is a secret. Unlike in JSON,
  /// `key` is one.
  static func isSecretParameter(_ name: String) -> Bool { name.lowercased() == "key" || isSecret(name) }

  /// Returns a Boolean value that indicates whether the value of a key is a password or a PIN, which can be any word.
  static func isPassword(_ key: String) -> Bool {
    isSecret(key) && KeyWords.words(of: key).contains { passwordWords.contains(withoutNumber($0)) }
  }

  /// Returns a Boolean value that indicates whether a number under a key is a secret. Other numbers, such as `tokens: 12`,
  /// are counts or identifiers.
  static func isSecretNumber(_ key: String) -> Bool {
    isSecret(key) && KeyWords.words(of: key).last.map { passwordWords.contains(withoutNumber($0)) } ?? false
  }

  /// Returns the word of a key such as `password2` without its number.
  private static func withoutNumber(_ word: String) -> String { String(word.prefix { !$0.isNumber }) }

  private static let passwordWords: Set<String> = [
    "password", "passwd", "pwd", "passphrase", "passcode", "pin", "otp",
  ]

  /// Returns the key that decides about the value of a member: that of the object if its members are secrets, as in
  /// `"token": {"value": "…"}`.
  static func decidingKey(of member: String, in key: String?) -> String {
    guard let key, isSecret(key), KeyWords.words(of: member).allSatisfy({ !descriptiveWords.contains($0) })
    else {
      return member
    }
    return key
  }

  /// The words of keys that describe a secret without being a part of it.
  private static let descriptiveWords: Set<String> = [
    "id", "type", "kind", "scope", "scopes", "name", "url", "expires", "expiry", "created", "updated", "at",
    "in",
    "user", "status",
  ]

  /// Returns a Boolean value that indicates whether a token only names a position in a list, such as `next_page_token`.
  private static func isPosition(_ words: [String]) -> Bool {
    words.contains(where: cursorWords.contains) && !words.contains(where: grantWords.contains)
  }

  /// The names in the singular.
  private static let secrets: Set<String> = [
    "token", "jwt", "bearer", "secret", "password", "passwd", "pwd", "passphrase", "passcode", "pin", "otp",
    "apikey", "appid", "authkey", "accesskey", "privatekey", "secretkey", "session", "sessionid", "sid",
    "phpsessid", "jsessionid", "csrf", "xsrf", "authorization", "proxyauthorization", "credential",
    "signature", "sig", "auth", "cookie", "setcookie",
  ]
  /// The last words of keys for secrets, such as `X-Amz-Signature`.
  private static let secretEndings: Set<String> = [
    "secret", "apikey", "jwt", "csrf", "xsrf", "signature", "credential",
  ]
  /// The words of keys for passwords at any place, such as `password_hash`.
  private static let passwords: Set<String> = ["password", "passwd", "passphrase"]
  /// The words before `key` in keys for secrets, such as `stripe_secret_key`.
  private static let keyKinds: Set<String> = [
    "api", "auth", "access", "secret", "private", "subscription", "session", "signing", "encryption",
  ]
  /// The words of keys for tokens that only name a position in a list.
  private static let cursorWords: Set<String> = [
    "next", "previous", "prev", "page", "cursor", "continuation", "sync",
  ]
  /// The words of keys for tokens that grant access, even if a cursor word stands before them: `page_access_token`.
  private static let grantWords: Set<String> = ["access", "auth", "session", "refresh", "bearer", "id"]

  /// Returns a Boolean value that indicates whether the value of a key is the name of a person in any object.
  static func isName(_ key: String) -> Bool { names.contains(KeyWords.joined(key)) }

  /// Returns a Boolean value that indicates whether the value of a key is part of the name of a person, whatever its
  /// spelling.
  static func isOwnName(_ key: String) -> Bool { ownNames.contains(KeyWords.joined(key)) }

  private static let ownNames: Set<String> = [
    "firstname", "lastname", "givenname", "familyname", "middlename", "surname", "forename", "maidenname",
  ]
  private static let names: Set<String> = ownNames.union([
    "fullname", "realname", "displayname", "nickname", "authorname", "ownername", "customername",
    "contactname",
    "membername", "sendername", "recipientname",
  ])

  /// Returns a Boolean value that indicates whether the value of a key is the account name of a person.
  static func isAccountName(_ key: String) -> Bool { accountNames.contains(KeyWords.joined(key)) }

  private static let accountNames: Set<String> = [
    "login", "username", "screenname", "handle", "userlogin", "loginname", "accountname", "nick",
  ]

  /// Returns a Boolean value that indicates whether an object with these keys is a person, so that its `name` is the
  /// name of a person.
  static func describePerson(_ keys: some Sequence<String>) -> Bool {
    keys.contains { marks.contains(KeyWords.joined($0)) || isAccountName($0) || isName($0) }
  }

  private static let marks: Set<String> = [
    "email", "emailaddress", "mail", "avatar", "avatarurl", "gravatarid", "phone", "phonenumber", "mobile",
    "birthday", "birthdate", "dateofbirth", "siteadmin", "isadmin",
  ]

  /// Returns a Boolean value that indicates whether the object or text under a key is a person: `author`, `users`.
  static func isPerson(_ key: String) -> Bool {
    KeyWords.words(of: key).last.map { persons.contains(Nouns.singular($0)) } ?? false
  }

  private static let persons: Set<String> = [
    "user", "author", "owner", "assignee", "person", "customer", "member", "creator", "sender", "recipient",
    "contact", "employee", "reviewer", "committer", "follower", "friend", "commenter", "editor", "subscriber",
    "patient", "student", "teacher", "driver", "guest", "attendee", "participant",
  ]
}
