import Foundation

/// A page of a documentation catalog, as far as tests look into it.
struct Article: CustomStringConvertible {
  /// A stretch of code with the language that its fence names.
  struct Block {
    var language: String
    var text: String
    /// From 1, the line of the fence.
    var line: Int
    /// The name of the file that the block is, if the paragraph before it is a name in backticks and a colon.
    var fileName: String?
  }

  let name: String
  let text: String

  /// - Parameter name: `RecordSpec/WritingScenarios`.
  init(_ name: String) throws {
    let parts = name.split(separator: "/")
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
    let file = root.appendingPathComponent("Sources/\(parts[0])/\(parts[0]).docc/\(parts[1]).md")
    self.name = name
    text = try String(contentsOf: file.standardizedFileURL, encoding: .utf8)
  }

  var description: String { name }

  private var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

  var blocks: [Block] {
    var blocks: [Block] = []
    var open: Block?
    var paragraph: Substring = ""
    for (index, line) in lines.enumerated() {
      if var block = open {
        if line == "```" {
          blocks.append(block)
          open = nil
          paragraph = ""
        } else {
          block.text += line + "\n"
          open = block
        }
      } else if line.hasPrefix("```") {
        let name = paragraph.wholeMatch(of: /`([^`]+)`:/).map { String($0.1) }
        open = Block(language: String(line.dropFirst(3)), text: "", line: index + 1, fileName: name)
      } else if !line.isEmpty {
        paragraph = line
      }
    }
    return blocks
  }

  func blocks(in language: String) -> [Block] { blocks.filter { $0.language == language } }

  /// The first column of each table that has a header, without backticks, in the order of the page.
  func firstColumns(under header: String) -> [[String]] {
    var columns: [[String]] = []
    var isInside = false
    for line in lines {
      if line.hasPrefix(header) {
        columns.append([])
        isInside = true
      } else if isInside, let row = line.prefixMatch(of: /\| `([^`]+)` \|/) {
        columns[columns.count - 1].append(String(row.1))
      } else if !line.hasPrefix("|---") {
        isInside = false
      }
    }
    return columns
  }
}
