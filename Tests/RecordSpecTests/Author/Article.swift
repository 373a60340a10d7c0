import Foundation

/// A page of a documentation catalog, with the parts that tests read.
struct Article: CustomStringConvertible {
  /// A code block with the language of its fence.
  struct Block {
    var language: String
    var text: String
    /// The line of the fence, from 1.
    var line: Int
    /// The name of the file that the block shows, if the preceding paragraph is a name in backticks and a colon.
    var fileName: String?
  }

  /// A table of an article.
  struct Table {
    /// The heading that the table follows.
    var heading: String
    /// The first column without backticks. A row without code in its first cell has no element.
    var firstColumn: [String]
    /// The cells of these rows, as in the article.
    var rows: [[String]] = []
  }

  let name: String
  let text: String

  /// - Parameter name: The catalog and the page, such as `RecordSpec/ScenarioFormat`.
  init(_ name: String) throws {
    let parts = name.split(separator: "/")
    let file = Self.catalog(of: String(parts[0])).appendingPathComponent("\(parts[1]).md")
    self.name = name
    text = try String(contentsOf: file.standardizedFileURL, encoding: .utf8)
  }

  /// Returns the names of all articles of a module, sorted.
  static func names(in module: String) -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: catalog(of: module).path)) ?? []
    return files.filter { $0.hasSuffix(".md") }.map { "\(module)/\($0.dropLast(3))" }.sorted()
  }

  static func catalog(of module: String) -> URL {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
    return root.appendingPathComponent("Sources/\(module)/\(module).docc").standardizedFileURL
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

  /// Returns the tables whose header begins with a text, in the order of the page.
  func tables(under header: String) -> [Table] {
    var tables: [Table] = []
    var heading = ""
    var isInside = false
    for line in lines {
      if let match = line.wholeMatch(of: /#+ (.+)/) { heading = String(match.1.filter { $0 != "`" }) }
      if line.hasPrefix(header) {
        tables.append(Table(heading: heading, firstColumn: []))
        isInside = true
      } else if isInside, let row = line.prefixMatch(of: /\| `([^`]+)` \|/) {
        tables[tables.count - 1].firstColumn.append(String(row.1))
        let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        tables[tables.count - 1].rows.append(cells.map { $0.trimmingCharacters(in: .whitespaces) })
      } else if !line.hasPrefix("|") {
        isInside = false
      }
    }
    return tables
  }
}
