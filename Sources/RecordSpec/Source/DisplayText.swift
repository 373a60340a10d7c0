internal import JSONTree

/// Text as a terminal shows it, measured in columns.
package struct DisplayText {
  /// One visible character and the columns it takes.
  package struct Cell {
    var text: String
    var width: Int
  }

  package private(set) var cells: [Cell] = []

  /// Columns of all cells.
  package var width: Int { cells.reduce(0) { $0 + $1.width } }

  package var text: String { cells.map(\.text).joined() }

  package init() {}

  /// Invalid UTF-8 shows as U+FFFD, a tab as the spaces to the next fourth column.
  package init(_ bytes: some Collection<UInt8>, startingAt column: Int = 0) {
    var column = column
    for character in String(decoding: bytes, as: UTF8.self) {
      let cell = Self.cell(of: character, at: column)
      column += cell.width
      cells.append(cell)
    }
  }

  /// Whether a character would not be shown as it is.
  static func hasControlCharacters(_ text: String) -> Bool {
    text.unicodeScalars.contains(where: \.garblesText)
  }

  /// A text on one line, without what would garble a terminal.
  static func oneLine(_ text: String) -> String {
    hasControlCharacters(text) ? DisplayText(text.utf8).text : text
  }

  package init(cells: some Sequence<Cell>) { self.cells = Array(cells) }

  private static func cell(of character: Character, at column: Int) -> Cell {
    if character == "\t" {
      let width = 4 - column % 4
      return Cell(text: String(repeating: " ", count: width), width: width)
    }
    let scalars = character.unicodeScalars
    // A control character, or one that turns the direction of writing, would garble the terminal; a byte order
    // mark would not be seen.
    if scalars.contains(where: \.garblesText) {
      return Cell(text: "\u{FFFD}", width: 1)
    }
    return Cell(text: String(character), width: scalars.contains(where: isWide) ? 2 : 1)
  }

  /// Whether terminals give the character two columns: East Asian wide and full-width forms, and emoji.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x1100: false
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
      0x20000...0x3FFFD:
      true
    case 0xFE0F: true
    default: scalar.properties.isEmojiPresentation
    }
  }
}
