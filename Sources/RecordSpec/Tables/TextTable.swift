/// A table of text, with columns that are as wide as their widest cell.
struct TextTable {
  private let rows: [[DisplayText]]

  /// Creates a table.
  ///
  /// - Parameter rows: the cells of each row. The first row is the header.
  init(_ rows: [[DisplayText]]) { self.rows = rows }

  /// The lines of the table, without spaces at their ends.
  var lines: [String] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.width)
      }
    }
    return rows.map { row in
      var line = ""
      var space = 0
      for (cell, width) in zip(row, widths) {
        if !cell.cells.isEmpty { line += String(repeating: " ", count: space) + cell.text }
        space = (cell.cells.isEmpty ? space + width : width - cell.width) + 2
      }
      return line
    }
  }
}

extension DisplayText {
  /// Creates display text on one line.
  init(_ text: String) { self.init(text.utf8) }

  /// Returns the text if it fits into a number of columns, or the start of the text and `…`.
  func clipped(to columns: Int) -> DisplayText {
    guard width > columns else { return self }
    var left = columns - 1
    let start = cells.prefix { cell in
      left -= cell.width
      return left >= 0
    }
    return DisplayText(cells: start + [Cell(text: "…", width: 1)])
  }
}
