import JSONTree
import ScenarioFormat

/// Changes of values in a YAML file. All other bytes of the file stay the same.
struct YAMLEdit {
  private let file: SourceFile
  private var replacements: [(range: Range<Int>, text: String)] = []

  init(_ file: SourceFile) { self.file = file }

  /// The bytes of the changed file; nil if two changes concern the same bytes, which an alias stands for.
  var bytes: [UInt8]? {
    var result: [UInt8] = []
    var end = 0
    for (range, text) in replacements.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      guard range.lowerBound >= end else { return nil }
      result += file.bytes[end..<range.lowerBound] + Array(text.utf8)
      end = range.upperBound
    }
    return result + file.bytes[end...]
  }

  /// Changes a value to another one. Parts that are equal stay as they are written.
  ///
  /// - Complexity: linear in the size of the values, and in the depth for each changed part.
  mutating func change(_ node: YAMLNode, to new: JSONValue, isInFlow: Bool = false) {
    var problems: [AuthorDiagnostic] = []
    if node.jsonValue(&problems) == new { return }
    let isFlow =
      isInFlow || [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(file.bytes[safe: node.range.lowerBound])
    switch (node.content, new) {
    case (.mapping(let pairs), .object(let members)):
      let kept = pairs.filter { members[$0.key] != nil }
      // Some removals need a new text: those in `{}`, and those of the first keys, which may follow a dash.
      let isFirstKept = pairs.prefix(2).contains { members[$0.key] != nil }
      guard !kept.isEmpty, kept.count == pairs.count || !isFlow && isFirstKept else { break }
      for (index, pair) in pairs.enumerated() {
        if let value = members[pair.key] {
          change(pair.value, to: value, isInFlow: isFlow)
        } else {
          remove(index, of: pairs)
        }
      }
      let known = Set(pairs.map(\.key))
      add(members.filter { !known.contains($0.key) }, after: kept[kept.count - 1], isInFlow: isFlow)
      return
    case (.sequence(let elements), .array(let values)) where elements.count == values.count:
      for (element, value) in zip(elements, values) { change(element, to: value, isInFlow: isFlow) }
      return
    default: break
    }
    replacements.append((node.range, isFlow ? Self.flow(new) : block(new, at: node)))
  }

  // MARK: Members

  private mutating func remove(_ index: Int, of pairs: [YAMLPair]) {
    let pair = pairs[index]
    if index == 0 {
      // The first key may follow a dash.
      replacements.append((pair.keyRange.lowerBound..<pairs[1].keyRange.lowerBound, ""))
    } else {
      let end = max(pair.keyRange.upperBound, pair.value.range.upperBound)
      replacements.append((startOfLine(pair.keyRange.lowerBound)..<endOfLine(end, includingBreak: true), ""))
    }
  }

  private mutating func add(
    _ members: [(key: String, value: JSONValue)], after pair: YAMLPair, isInFlow: Bool
  ) {
    if members.isEmpty { return }
    let end = max(pair.keyRange.upperBound, pair.value.range.upperBound)
    let texts = members.map { "\(Self.key($0.key)): \(Self.flow($0.value))" }
    if isInFlow {
      replacements.append((end..<end, texts.map { ", " + $0 }.joined()))
    } else {
      let position = endOfLine(end, includingBreak: false)
      let indentation = String(repeating: " ", count: column(of: pair.keyRange.lowerBound))
      replacements.append((position..<position, texts.map { "\n" + indentation + $0 }.joined()))
    }
  }

  private func startOfLine(_ offset: Int) -> Int {
    var start = offset
    while start > 0, file.bytes[start - 1] != 0x0A { start -= 1 }
    return start
  }

  private func endOfLine(_ offset: Int, includingBreak: Bool) -> Int {
    var end = offset
    while end < file.bytes.count, file.bytes[end] != 0x0A, file.bytes[end] != 0x0D || includingBreak {
      end += 1
    }
    return includingBreak && end < file.bytes.count ? end + 1 : end
  }

  private func column(of offset: Int) -> Int { offset - startOfLine(offset) }

  // MARK: Values

  /// Returns the text of a value in place of another one outside of `[]` and `{}`.
  private func block(_ value: JSONValue, at node: YAMLNode) -> String {
    let isBlock: Bool
    switch (node.content, value) {
    case (.mapping, .object(let members)): isBlock = !members.isEmpty
    case (.sequence, .array(let elements)): isBlock = !elements.isEmpty
    default: isBlock = false
    }
    guard isBlock else { return Self.flow(value) }
    let lines = value.yamlText().split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let indentation = String(repeating: " ", count: column(of: node.range.lowerBound))
    return lines.joined(separator: "\n" + indentation)
  }

  /// Returns a value on one line.
  private static func flow(_ value: JSONValue) -> String {
    switch value {
    case .array(let elements): "[" + elements.map(flow).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { "\(key($0.key)): \(flow($0.value))" }.joined(separator: ", ") + "}"
    case .null, .boolean, .number: value.compactText()
    // In a list, a text is written so that it can be a part of one.
    case .string: String(JSONValue.array([value]).yamlText().dropFirst().dropLast(2))
    }
  }

  private static func key(_ key: String) -> String {
    key.wholeMatch(of: /[A-Za-z][A-Za-z0-9_-]*/) != nil ? key : JSONValue.string(key).compactText()
  }
}

extension [UInt8] {
  fileprivate subscript(safe index: Int) -> UInt8 { indices.contains(index) ? self[index] : 0 }
}
