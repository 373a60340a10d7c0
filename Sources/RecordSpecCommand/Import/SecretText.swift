import Foundation

/// The forms of texts that are secrets.
enum SecretText {
  /// Returns a Boolean value that indicates whether a text under the key of a secret is one. Other texts are counts,
  /// addresses, sentences, and words such as `bearer` or `none`.
  static func isPlausible(_ text: String) -> Bool {
    let hasDigit = text.utf8.contains { ("0"..."9").contains(Unicode.Scalar($0)) }
    if text.contains("://") { return false }
    guard text.contains(where: \.isWhitespace) else {
      let isWord = !hasDigit && text.count < shortestSecretWord
      let isCount = text.utf8.count < 6 && text.utf8.allSatisfy { ("0"..."9").contains(Unicode.Scalar($0)) }
      return !isWord && !isCount
    }
    if text.hasPrefix("-----BEGIN ") { return true }
    let parts = text.split(whereSeparator: \.isWhitespace)
    return parts.count == 2 && schemes.contains(parts[0].lowercased()) && isPlausible(String(parts[1]))
  }

  /// The number of characters from which a text of letters is not taken for a word.
  private static let shortestSecretWord = 10
  /// The first words of the value of an `Authorization` header.
  private static let schemes: Set<String> = ["basic", "bearer", "digest", "token"]

  /// Returns a Boolean value that indicates whether a text is random, so that it is a secret under any key: a UUID, or a
  /// text with a part that is long or that often changes between lower case, upper case and digits.
  static func isRandom(_ text: String) -> Bool {
    if UUID(uuidString: text) != nil { return true }
    return text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.contains { part in
      let length = part.utf8.count
      guard (8..<24).contains(length) else { return length >= 24 }
      let runs = runCount(part)
      return 5 * runs >= 2 * length || length >= 16 && runs >= 5
    }
  }

  /// Returns the number of runs of lower case, upper case or digits. A capitalized word is one run.
  private static func runCount(_ text: Substring) -> Int {
    var count = 0
    var former: UInt8?
    for byte in text.utf8 {
      let kind = ("0"..."9").contains(Unicode.Scalar(byte)) ? UInt8(0) : byte & 0x20 == 0 ? 1 : 2
      if kind != former, !(former == 1 && kind == 2) { count += 1 }
      former = kind
    }
    return count
  }

  private static let tokenPrefixes = [
    "ghp_", "gho_", "ghu_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "sk_live_", "sk_test_",
    "pk_live_", "rk_live_", "ghr_", "sk-", "xoxa-", "xapp-", "AKIA", "ASIA", "AIza", "ya29.", "SG.", "npm_",
    "whsec_", "shpat_", "hf_",
  ]

  /// Returns a Boolean value that indicates whether a text has the form of a JSON web token or of a token of a common
  /// service.
  static func isKnownToken(_ text: Substring) -> Bool {
    guard text.utf8.count >= 16 else { return false }
    // A signed token has three parts, an encrypted one five.
    if text.hasPrefix("eyJ") { return [2, 4].contains(text.utf8.count { $0 == UInt8(ascii: ".") }) }
    return tokenPrefixes.contains { text.hasPrefix($0) }
  }
}
