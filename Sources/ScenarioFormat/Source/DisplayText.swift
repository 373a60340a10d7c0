import JSONTree

/// Text as a terminal displays it, measured in columns.
package struct DisplayText {
  /// A visible character and its width in columns.
  package struct Cell {
    package var text: String
    package var width: Int

    package init(text: String, width: Int) { (self.text, self.width) = (text, width) }
  }

  package private(set) var cells: [Cell] = []

  /// The total width of the cells in columns.
  package var width: Int { cells.reduce(0) { $0 + $1.width } }

  package var text: String { cells.map(\.text).joined() }

  package init() {}

  /// Creates display text from UTF-8. Invalid UTF-8 and characters that would garble a terminal become U+FFFD. A tab
  /// becomes spaces up to the next multiple of four columns.
  package init(_ bytes: some Collection<UInt8>, startingAt column: Int = 0) {
    var column = column
    for character in String(decoding: bytes, as: UTF8.self) {
      let cell = Self.cell(of: character, at: column)
      column += cell.width
      cells.append(cell)
    }
  }

  /// Returns a Boolean value that indicates whether the text has characters that would garble a terminal.
  package static func hasControlCharacters(_ text: String) -> Bool {
    text.unicodeScalars.contains(where: \.garblesText)
  }

  /// Returns the text on one line. Characters that would garble a terminal become U+FFFD.
  package static func oneLine(_ text: String) -> String {
    hasControlCharacters(text) ? DisplayText(text.utf8).text : text
  }

  /// Returns the text without ANSI color codes.
  package static func uncolored(_ text: String) -> String {
    guard text.utf8.contains(0x1B) else { return text }
    return text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
  }

  package init(cells: some Sequence<Cell>) { self.cells = Array(cells) }

  private static func cell(of character: Character, at column: Int) -> Cell {
    if character == "\t" {
      let width = 4 - column % 4
      return Cell(text: String(repeating: " ", count: width), width: width)
    }
    let scalars = character.unicodeScalars
    // Control characters and characters that change the writing direction would garble the terminal. A byte order mark
    // would be invisible.
    if scalars.contains(where: \.garblesText) { return Cell(text: "\u{FFFD}", width: 1) }
    return Cell(text: String(character), width: scalars.contains(where: isWide) ? 2 : 1)
  }

  /// Returns a Boolean value that indicates whether terminals give the scalar two columns, as they do for East Asian
  /// wide and full-width forms and for emoji.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x1100: false
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
      0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      true
    case 0xFE0F: true
    default: scalar.properties.isEmojiPresentation
    }
  }
}
