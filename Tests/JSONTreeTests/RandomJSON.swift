import JSONTree
import TestSupport

extension SeededGenerator {
  mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func pick<Element>(_ choices: [Element]) -> Element { choices[next(below: choices.count)] }
  mutating func value(depth: Int = 4) -> JSONValue {
    switch next(below: depth > 0 ? 9 : 6) {
    case 0: .null
    case 1: .boolean(next(below: 2) == 0)
    case 2, 3: .number(number())
    case 4, 5: .string(text())
    case 6: .array((0..<next(below: 6)).map { _ in value(depth: depth - 1) })
    default:
      .object(
        JSONObject((0..<next(below: 7)).map { _ in (text(), value(depth: depth - 1)) }))
    }
  }

  mutating func number() -> JSONNumber {
    let digits =
      pick(["", "-"]) + pick(["0", "7", "42", "9007199254740993", "123456789012345678901"])
      + pick(["", ".0", ".5", ".250"]) + pick(["", "", "e3", "E-2", "e+400"])
    return JSONNumber(digits: digits) ?? JSONNumber(0)
  }

  mutating func text() -> String {
    let parts = [
      "", "a", "b", "key", "7", "12", "é", "日本", "😀", "\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "\u{7F}", " ",
      "long text here",
    ]
    return (0..<next(below: 4)).map { _ in pick(parts) }.joined()
  }

  /// Returns the value as JSON text with white space and escapes at random positions.
  mutating func loosely(_ value: JSONValue) -> String {
    let text =
      switch value {
      case .null: "null"
      case .boolean(let value): value ? "true" : "false"
      case .number(let number): number.digits
      case .string(let text): loosely(text)
      case .array(let elements): "[" + gap() + elements.map { loosely($0) }.joined(separator: ",") + "]"
      case .object(let members):
        "{" + gap()
          + members.map { gap() + loosely($0.key) + gap() + ":" + loosely($0.value) }.joined(separator: ",")
          + "}"
      }
    return gap() + text + gap()
  }

  private mutating func gap() -> String { pick(["", "", "", " ", "\n", "\r\n\t "]) }

  private mutating func loosely(_ text: String) -> String {
    var result = "\""
    for unit in text.utf16 {
      let mustEscape = unit < 0x20 || unit == 0x22 || unit == 0x5C || unit & 0xF800 == 0xD800
      if mustEscape || next(below: 8) == 0 {
        let digits = String(unit, radix: 16, uppercase: next(below: 2) == 0)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        result.unicodeScalars.append(Unicode.Scalar(unit) ?? "?")
      }
    }
    return result + "\""
  }
}
