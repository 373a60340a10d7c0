import Foundation
import RecordModel
import ScenarioComparison
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// The parts of the addresses inside a text whose position tells what they are: `https://user:password@host/path?key=value`.
struct AddressParts {
  enum Kind: Equatable {
    case user
    case password
    case host
    /// The value of a parameter whose name is that of a secret, if the value can be one.
    case secret
  }

  struct Part {
    var kind: Kind
    /// The range of the bytes, as they are encoded in the text.
    var range: Range<Int>
    /// The decoded text.
    var text: String
  }

  /// The parts in their order. They do not overlap.
  private(set) var all: [Part] = []
  private let bytes: [UInt8]

  /// Finds the parts of a text.
  ///
  /// - Complexity: linear in the number of bytes.
  init(in bytes: [UInt8]) {
    self.bytes = bytes
    var offset = 0
    // The start of a parameter's name; nil after its equals sign.
    var name: Int? = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      if Self.startsAuthority(offset, in: bytes) {
        offset = addAuthority(at: offset + 2)
        name = offset
      } else if byte == UInt8(ascii: "="), let start = name {
        offset = addSecret(at: offset + 1, name: start..<offset)
        name = nil
      } else {
        offset += 1
        if Self.separatesParameters(byte) { name = offset }
      }
    }
  }

  /// Adds the value of a parameter if it is a secret. Returns the offset to continue at: the end of the secret or its start.
  private mutating func addSecret(at start: Int, name: Range<Int>) -> Int {
    guard name.count <= Self.maximumNameLength else { return start }
    let name = PercentEncoding.decoded(String(decoding: bytes[name], as: UTF8.self))
    guard PersonalKeys.isSecretParameter(name) else { return start }
    let isPassword = PersonalKeys.isPassword(name)
    var end = start
    while end < bytes.count, !Self.separatesParameters(bytes[end]) {
      // An address inside of the address has parts of its own.
      if !isPassword, bytes[end...].starts(with: "://".utf8) { return start }
      end += 1
    }
    let text = PercentEncoding.decoded(String(decoding: bytes[start..<end], as: UTF8.self))
    guard isPassword || SecretText.isPlausible(text) else { return start }
    add(.secret, start..<end) { _ in text }
    return end
  }

  /// The length of a name, up to which a text before an equals sign is the name of a parameter.
  private static let maximumNameLength = 100

  private static func separatesParameters(_ byte: UInt8) -> Bool {
    byte <= 0x20 || "?&<>\"';,#()[]{}\\".utf8.contains(byte)
  }

  /// Returns a Boolean value that indicates whether `//` at an offset begins an authority.
  private static func startsAuthority(_ offset: Int, in bytes: [UInt8]) -> Bool {
    bytes[offset] == UInt8(ascii: "/") && offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "/")
      && (offset == 0 || bytes[offset - 1] == UInt8(ascii: ":") || separatesParameters(bytes[offset - 1]))
  }

  /// Adds the parts of an authority and returns its end.
  private mutating func addAuthority(at start: Int) -> Int {
    let end = bytes[start...].firstIndex { $0 <= 0x20 || "/?#<>\"'\\".utf8.contains($0) } ?? bytes.count
    func decoded(_ text: String) -> String { text.removingPercentEncoding ?? text }
    guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else {
      add(.host, start..<end) { $0 }
      return end
    }
    let colon = bytes[start..<at].firstIndex(of: UInt8(ascii: ":"))
    add(.user, start..<(colon ?? at), decoded)
    if let colon { add(.password, colon + 1..<at, decoded) }
    add(.host, at + 1..<end) { $0 }
    return end
  }

  private mutating func add(_ kind: Kind, _ range: Range<Int>, _ decoded: (String) -> String) {
    guard !range.isEmpty else { return }
    all.append(Part(kind: kind, range: range, text: decoded(String(decoding: bytes[range], as: UTF8.self))))
  }
}
