import ScenarioComparison
import ScenarioFormat
import ScenarioRun

/// The parts of a YAML file that can be removed: the entries of its lists and the keys of its mappings, at every level.
///
/// A part is removed from the text, so that the comments and the format of all other parts remain. The comments directly
/// above a part, and the one on its line, are removed with it. Values that an alias stands for are not divided into parts.
struct RemovableParts {
  /// The parts that another one contains, or those of the whole file.
  struct Group: Sendable {
    /// The key or the position of each part, by its number.
    fileprivate(set) var parts: [Int] = []
    fileprivate let isFlow: Bool
    fileprivate let isMapping: Bool
    /// The part whose value this is; nil for the root.
    fileprivate let parent: Int?
    /// The offset after the key or the dash to which the group belongs, where `{}` or `[]` is written.
    fileprivate let indicatorEnd: Int
    /// A Boolean value that indicates whether the first part is on a line with other text, such as the dash of a list.
    fileprivate var isFirstInline = false
  }

  /// A list entry, or a key with its value.
  struct Part: Sendable {
    /// The key; nil for a list entry.
    let key: String?
    /// The value.
    let value: YAMLNode
    /// The range from the key or the dash to the end of the value.
    fileprivate(set) var range: Range<Int>
    /// The range of the lines that are removed with the part; the same as `range` in brackets.
    fileprivate var lines: Range<Int>
    /// The parts of the value; nil if it has none.
    fileprivate(set) var group: Int?
    /// The part that contains this one; nil for the parts of the file.
    let parent: Int?
    /// A Boolean value that indicates whether the part is in brackets or braces.
    let isInFlow: Bool
  }

  private(set) var parts: [Part] = []
  private(set) var groups: [Group] = []
  /// The bytes of the file.
  let bytes: [UInt8]

  /// Finds the parts of a file. Linear in the number of bytes.
  init(_ root: YAMLNode) {
    bytes = root.file.bytes
    _ = addGroup(of: root, in: nil, indicatorEnd: nil, isInFlow: false)
  }

  /// The parts of the file that no other one contains.
  var topLevel: [Int] { groups.first?.parts ?? [] }

  /// Returns the number of characters before a part on its line.
  func column(of part: Int) -> Int {
    let start = parts[part].range.lowerBound
    return start - lineStart(start)
  }

  /// Returns the part of the file with a key.
  func topLevel(_ key: String) -> Int? { topLevel.first { parts[$0].key == key } }

  /// Returns the parts of the value of a part; none for nil.
  func children(of part: Int?) -> [Int] { part.flatMap { parts[$0].group }.map { groups[$0].parts } ?? [] }

  /// Returns the part with a key in the value of a part.
  func child(_ key: String, of part: Int?) -> Int? { children(of: part).first { parts[$0].key == key } }
}

// Finding
extension RemovableParts {
  private mutating func addGroup(of node: YAMLNode, in parent: Int?, indicatorEnd: Int?, isInFlow: Bool)
    -> Int?
  {
    let start = contentStart(of: node)
    let isFlow = start < bytes.count && (bytes[start] == .openBracket || bytes[start] == .openBrace)
    // A mapping such as `[a: 1]` has no braces that could remain.
    if isInFlow, !isFlow { return nil }
    let number = groups.count
    switch node.content {
    case .scalar: return nil
    case .mapping(let pairs):
      groups.append(
        Group(isFlow: isFlow, isMapping: true, parent: parent, indicatorEnd: indicatorEnd ?? start))
      var end = start
      // Pairs that `<<` merges are in another part of the file.
      for pair in pairs where pair.keyRange.lowerBound >= end && node.range.contains(pair.keyRange.lowerBound)
      {
        end = add(
          pair.key, pair.value, from: pair.keyRange.lowerBound, keyEnd: pair.keyRange.upperBound, to: number)
      }
    case .sequence(let elements):
      groups.append(
        Group(isFlow: isFlow, isMapping: false, parent: parent, indicatorEnd: indicatorEnd ?? start))
      var end = isFlow ? start + 1 : start
      for element in elements {
        let from = skipSpace(from: end, skippingCommas: isFlow)
        guard from < bytes.count, isFlow || bytes[from] == .dash else { break }
        end = add(nil, element, from: from, keyEnd: isFlow ? from : from + 1, to: number)
      }
    }
    return number
  }

  /// Adds a part and the parts of its value. Returns the end of its value.
  private mutating func add(_ key: String?, _ value: YAMLNode, from start: Int, keyEnd: Int, to group: Int)
    -> Int
  {
    let isFlow = groups[group].isFlow
    // The node of an alias has the range of the value that it stands for.
    let isAlias = value.range.lowerBound < keyEnd
    let end = isAlias ? aliasEnd(from: keyEnd, isFlow: isFlow) : max(keyEnd, value.range.upperBound)
    let lines = isFlow ? start..<end : lines(of: start..<end, in: group)
    let number = parts.count
    parts.append(
      Part(
        key: key, value: value, range: start..<end, lines: lines, parent: groups[group].parent,
        isInFlow: isFlow))
    if groups[group].parts.isEmpty { groups[group].isFirstInline = !isFlow && !startsLine(start) }
    groups[group].parts.append(number)
    if !isAlias {
      let indicatorEnd =
        key == nil ? keyEnd : (bytes[keyEnd..<end].firstIndex(of: .colon).map { $0 + 1 } ?? keyEnd)
      parts[number].group = addGroup(of: value, in: number, indicatorEnd: indicatorEnd, isInFlow: isFlow)
    }
    return end
  }

  /// Returns the lines of a part, with the comments directly above it and the empty lines above them.
  private func lines(of range: Range<Int>, in group: Int) -> Range<Int> {
    let end = lineEnd(range.upperBound)
    let isFirst = groups[group].parts.isEmpty
    guard startsLine(range.lowerBound) else { return range.lowerBound..<end }
    var start = lineStart(range.lowerBound)
    // The comment at the start of the file is about the file.
    if isFirst, group == 0 { return start..<end }
    let limit = groups[group].parts.last.map { parts[$0].lines.upperBound } ?? groups[group].indicatorEnd
    func extend(while isIncluded: (ArraySlice<UInt8>) -> Bool) {
      while start > limit {
        let previous = lineStart(start - 1)
        guard previous >= limit, isIncluded(bytes[previous..<start].drop(while: \.isBlank)) else { return }
        start = previous
      }
    }
    extend { $0.first == .hash }
    extend { $0.isEmpty }
    return start..<end
  }

  /// Returns the start of a list or mapping after its anchor and tag.
  private func contentStart(of node: YAMLNode) -> Int {
    var offset = node.range.lowerBound
    while offset < bytes.count, bytes[offset] == .ampersand || bytes[offset] == .exclamation {
      while offset < bytes.count, !bytes[offset].isBlank { offset += 1 }
      offset = skipSpace(from: offset, skippingCommas: false)
    }
    return offset
  }

  private func aliasEnd(from offset: Int, isFlow: Bool) -> Int {
    var end = offset
    while end < bytes.count, bytes[end] != .lineFeed, bytes[end] != .carriageReturn {
      if isFlow, [.comma, .closeBracket, .closeBrace].contains(bytes[end]) { break }
      end += 1
    }
    return end
  }

  /// Returns the offset of the next character that is neither a space nor in a comment.
  private func skipSpace(from offset: Int, skippingCommas: Bool) -> Int {
    var offset = offset
    while offset < bytes.count {
      if bytes[offset] == .hash {
        offset = lineEnd(offset)
      } else if bytes[offset].isBlank || (skippingCommas && bytes[offset] == .comma) {
        offset += 1
      } else {
        break
      }
    }
    return offset
  }

  private func lineStart(_ offset: Int) -> Int {
    var start = offset
    while start > 0, bytes[start - 1] != .lineFeed { start -= 1 }
    return start
  }

  /// Returns the offset after the line break that ends a line.
  private func lineEnd(_ offset: Int) -> Int {
    bytes[offset...].firstIndex(of: .lineFeed).map { $0 + 1 } ?? bytes.count
  }

  private func startsLine(_ offset: Int) -> Bool {
    bytes[lineStart(offset)..<offset].allSatisfy { $0 == .space }
  }
}

// Editing
extension RemovableParts {
  private struct Edit {
    var range: Range<Int>
    var text: [UInt8] = []
  }

  /// Returns the text of the file without some parts. A list or mapping without parts is written as `[]` or `{}`.
  ///
  /// - Parameters:
  ///   - removed: the numbers of the parts. The parts of a removed part are removed with it.
  ///   - replacements: the texts that replace the keys and values of other parts.
  /// - Complexity: linear in the number of bytes.
  func text(without removed: Set<Int>, replacing replacements: [Int: String] = [:]) -> [UInt8] {
    var edits: [Edit] = []
    if !groups.isEmpty { append(0, removed, replacements, to: &edits) }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var offset = 0
    for edit in edits.sorted(by: {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    })
    where edit.range.lowerBound >= offset {
      text += bytes[offset..<edit.range.lowerBound]
      text += edit.text
      offset = edit.range.upperBound
    }
    return text + bytes[offset...]
  }

  private func append(
    _ number: Int, _ removed: Set<Int>, _ replacements: [Int: String], to edits: inout [Edit]
  ) {
    let group = groups[number]
    let kept = group.parts.filter { !removed.contains($0) }
    for part in kept {
      if let replacement = replacements[part] {
        edits.append(Edit(range: parts[part].range, text: Array(replacement.utf8)))
      } else if let inner = parts[part].group {
        append(inner, removed, replacements, to: &edits)
      }
    }
    guard kept.count < group.parts.count, let first = group.parts.first, let last = group.parts.last else {
      return
    }
    if group.isFlow {
      removeFromFlow(group, removed, lastKept: kept.last, to: &edits)
    } else if kept.isEmpty {
      let empty = Array((group.isMapping ? "{}" : "[]").utf8)
      if group.isFirstInline {
        edits.append(Edit(range: parts[first].range.lowerBound..<parts[last].range.upperBound, text: empty))
      } else {
        edits.append(Edit(range: group.indicatorEnd..<group.indicatorEnd, text: [.space] + empty))
        edits += group.parts.map { Edit(range: parts[$0].lines) }
      }
    } else {
      removeFromBlock(group, removed, firstKept: kept[0], to: &edits)
    }
  }

  private func removeFromFlow(_ group: Group, _ removed: Set<Int>, lastKept: Int?, to edits: inout [Edit]) {
    for (position, part) in group.parts.enumerated() where removed.contains(part) {
      guard let lastKept, part < lastKept else { continue }
      edits.append(
        Edit(range: parts[part].range.lowerBound..<parts[group.parts[position + 1]].range.lowerBound))
    }
    guard let last = group.parts.last, let first = group.parts.first, removed.contains(last) else { return }
    let start = lastKept.map { parts[$0].range.upperBound } ?? parts[first].range.lowerBound
    edits.append(Edit(range: start..<parts[last].range.upperBound))
  }

  private func removeFromBlock(_ group: Group, _ removed: Set<Int>, firstKept: Int, to edits: inout [Edit]) {
    var rest = group.parts.filter(removed.contains)
    if group.isFirstInline, let first = rest.first, first == group.parts[0] {
      // The next part, or the comment above it, follows the dash.
      let leading = rest.prefix { $0 < firstKept }
      var end = parts[leading.last ?? first].lines.upperBound
      while end < bytes.count, bytes[end].isBlank { end += 1 }
      edits.append(Edit(range: parts[first].range.lowerBound..<end))
      rest.removeFirst(leading.count)
    }
    edits += rest.map { Edit(range: parts[$0].lines) }
  }
}

extension UInt8 {
  fileprivate static let space = UInt8(ascii: " ")
  fileprivate static let lineFeed = UInt8(ascii: "\n")
  fileprivate static let carriageReturn = UInt8(ascii: "\r")
  fileprivate static let hash = UInt8(ascii: "#")
  fileprivate static let dash = UInt8(ascii: "-")
  fileprivate static let colon = UInt8(ascii: ":")
  fileprivate static let comma = UInt8(ascii: ",")
  fileprivate static let ampersand = UInt8(ascii: "&")
  fileprivate static let exclamation = UInt8(ascii: "!")
  fileprivate static let openBracket = UInt8(ascii: "[")
  fileprivate static let closeBracket = UInt8(ascii: "]")
  fileprivate static let openBrace = UInt8(ascii: "{")
  fileprivate static let closeBrace = UInt8(ascii: "}")

  /// A Boolean value that indicates whether the byte is a space, a tab or a line break.
  fileprivate var isBlank: Bool {
    self == .space || self == UInt8(ascii: "\t") || self == .lineFeed || self == .carriageReturn
  }
}
