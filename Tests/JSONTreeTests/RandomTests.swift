import JSONTree
import TestSupport
import Testing

@Suite struct RandomTests {
  @Test func whatIsWrittenIsRead() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<400 {
      let value = random.value()
      let loose = random.loosely(value)
      #expect(try parse(loose).root.value == value, "\(loose)")
      #expect(try parse(value.compactText()).root.value == value)

      let canonical = value.canonicalText()
      let back = try parse(canonical).root.value
      #expect(back == value)
      #expect(back.canonicalText() == canonical)
      #expect(try parse(loose).root.value.canonicalText() == canonical)
    }
  }

  @Test func canonicalTextsDoNotDependOnTheOrderOfKeys() throws {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<200 {
      let value = random.value()
      #expect(random.shuffled(value).canonicalText() == value.canonicalText())
      #expect(random.shuffled(value).hashValue == value.hashValue)
    }
  }

  @Test func longLinesAreBroken() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      for line in random.value().canonicalText().split(separator: "\n") where line.unicodeScalars.count > 100
      {
        // Only a single member or element may exceed the limit.
        #expect(!line.contains("[") && !line.contains("{"), "\(line)")
      }
    }
  }

  @Test(arguments: 1...8)
  func mutationsAgreeWithTheReference(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var accepted = 0
    let rounds = 600
    for _ in 0..<rounds {
      let value = random.value(depth: 3)
      var bytes = Array(random.loosely(value).utf8)
      for _ in 0..<random.next(below: 4) { random.mutate(&bytes) }
      let isAccepted = refusal(of: bytes, maximumDepth: 4) == nil
      let shown = String(decoding: bytes, as: UTF8.self)
      #expect(isAccepted == ReferenceRecogniser.accepts(bytes, maximumDepth: 4), "\(shown)")
      if isAccepted {
        accepted += 1
        let document = try JSONDocument(parsing: bytes)
        let text = document.root.value.canonicalText()
        #expect(try parse(text).root.value.canonicalText() == text, "\(shown)")
      }
    }
    // Both results occurred.
    #expect(accepted > rounds / 10 && accepted < rounds)
  }

  @Test func randomBytesAgreeWithTheReference() {
    var random = SeededGenerator(seed: 4)
    let alphabet =
      Array("[]{}:,\"\\u0123dDcC9e+-. \ntruefalsn".utf8) + [0x00, 0x80, 0xC3, 0xA9, 0xED, 0xF0, 0xFF]
    for _ in 0..<4_000 {
      let bytes = (0..<random.next(below: 24)).map { _ in random.pick(alphabet) }
      #expect((refusal(of: bytes) == nil) == ReferenceRecogniser.accepts(bytes), "\(bytes)")
    }
  }

  /// Every proper prefix of a document is an error and causes no read beyond its end. The whole document is valid.
  @Test func everyPrefix() throws {
    let text = #"{"a":[1.5e-3,"\u00e9\ud83d\ude00 é日😀 long enough for words",true,null,{}],"b":-0}"#
    let bytes = Array(text.utf8)
    for end in 0..<bytes.count { #expect(refusal(of: Array(bytes[..<end])) != nil, "\(end)") }
    #expect(refusal(of: bytes) == nil)
  }
}

extension SeededGenerator {
  /// Replaces, adds, removes or repeats some bytes.
  mutating func mutate(_ bytes: inout [UInt8]) {
    let interesting = Array("[]{}:,\"\\u0 e-.\u{0}".utf8) + [0x80, 0xBF, 0xC3, 0xED, 0xF4, 0xFF]
    let position = next(below: bytes.count + 1)
    switch next(below: 5) {
    case 0: bytes.insert(pick(interesting), at: position)
    case 1: if position < bytes.count { bytes.remove(at: position) }
    case 2: if position < bytes.count { bytes[position] = pick(interesting) }
    case 3: if position < bytes.count { bytes[position] ^= 1 << UInt8(next(below: 8)) }
    default:
      let end = min(bytes.count, position + next(below: 8))
      bytes.insert(contentsOf: bytes[position..<end], at: next(below: bytes.count + 1))
    }
  }

  /// Returns the value with the keys of its objects in another order.
  mutating func shuffled(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): return .array(elements.map { shuffled($0) })
    case .object(let members):
      var shuffled = members.map { ($0, self.shuffled($1)) }
      shuffled.shuffle(using: &self)
      return .object(JSONObject(shuffled))
    default: return value
    }
  }
}
