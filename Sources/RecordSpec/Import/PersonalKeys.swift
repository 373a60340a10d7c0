/// The keys, parameters and headers whose values are secrets or names of persons.
enum PersonalKeys {
  /// Returns a Boolean value that indicates whether the value of a key is a secret, such as a password or a token.
  static func isSecret(_ key: String) -> Bool {
    let words = KeyWords.words(of: key)
    if words.contains(where: cursorWords.contains) { return false }
    if secrets.contains(words.joined()) { return true }
    return words.count > 1 && words.last.map(secretEndings.contains) ?? false
  }

  private static let secrets: Set<String> = [
    "token", "tokens", "jwt", "bearer", "secret", "password", "passwd", "pwd", "passphrase", "passcode",
    "pin",
    "otp", "apikey", "authkey", "accesskey", "privatekey", "secretkey", "session", "sessionid", "sid",
    "phpsessid", "jsessionid", "csrf", "xsrf", "authorization", "proxyauthorization", "credential",
    "credentials", "signature", "sig", "auth", "cookie", "setcookie",
  ]
  /// The last words of keys for secrets, such as `refresh_token`.
  private static let secretEndings: Set<String> = [
    "token", "secret", "password", "passphrase", "apikey", "jwt", "csrf", "xsrf",
  ]
  /// The words of keys for tokens that only name a position in a list.
  private static let cursorWords: Set<String> = [
    "next", "previous", "prev", "page", "cursor", "continuation", "sync", "count", "type", "expires",
    "expiry",
  ]

  /// Returns a Boolean value that indicates whether the value of a key is the name of a person in any object.
  static func isName(_ key: String) -> Bool { names.contains(KeyWords.joined(key)) }

  private static let names: Set<String> = [
    "firstname", "lastname", "givenname", "familyname", "middlename", "surname", "forename", "maidenname",
    "fullname", "realname", "displayname", "nickname", "authorname", "ownername", "customername",
    "contactname",
    "membername", "sendername", "recipientname",
  ]

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
    KeyWords.words(of: key).last.map { persons.contains(KeyWords.singular($0)) } ?? false
  }

  private static let persons: Set<String> = [
    "user", "author", "owner", "assignee", "person", "customer", "member", "creator", "sender", "recipient",
    "contact", "employee", "reviewer", "committer", "follower", "friend", "commenter", "editor", "subscriber",
    "patient", "student", "teacher", "driver", "guest", "attendee", "participant",
  ]
}
