package import ScenarioFormat

/// A table of text, with columns that are as wide as their widest cell.
struct TextTable {
  /// The cells of each row. The first row is the header.
  let rows: [[DisplayText]]

  /// The lines of the table, without spaces at their ends.
  var lines: [String] { lines(of: rows, widths) }

  /// Returns the lines of the table in a number of columns. A wider table is divided into parts, each of which begins with
  /// the first column. The first column is cut to a third of the width, and keeps the start and the end of its cells.
  func lines(fitting width: Int) -> [String] {
    let labels = rows.map { ($0.first ?? DisplayText()).shortened(to: max(width / 3, 8)) }
    let first = labels.map(\.width).max() ?? 0
    let widths = widths
    var parts: [[Int]] = [[]]
    var used = first
    for column in widths.indices.dropFirst() {
      if used + 2 + widths[column] > width, !parts[parts.count - 1].isEmpty {
        parts.append([])
        used = first
      }
      parts[parts.count - 1].append(column)
      used += 2 + widths[column]
    }
    return parts.flatMap { columns in
      let cells = zip(rows, labels).map { row, label in
        [label]
          + columns.map { $0 < row.count ? row[$0].clipped(to: max(width - first - 2, 8)) : DisplayText() }
      }
      return lines(of: cells, [first] + columns.map { widths[$0] })
    }
  }

  /// The width of each column.
  private var widths: [Int] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.width)
      }
    }
    return widths
  }

  private func lines(of rows: [[DisplayText]], _ widths: [Int]) -> [String] {
    rows.map { row in
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
  package init(_ text: String) { self.init(text.utf8) }

  /// Returns the text if it fits into a number of columns, or the start of the text and `…`.
  package func clipped(to columns: Int) -> DisplayText {
    guard width > columns else { return self }
    var left = columns - 1
    let start = cells.prefix { cell in
      left -= cell.width
      return left >= 0
    }
    return DisplayText(cells: start + [Cell(text: "…", width: 1)])
  }

  /// Returns the text if it fits into a number of columns, or its start and its end with `…` between them.
  func shortened(to columns: Int) -> DisplayText {
    guard width > columns else { return self }
    var left = columns / 2
    let end = cells.reversed().prefix { cell in
      left -= cell.width
      return left >= 0
    }
    let tail = DisplayText(cells: end.reversed())
    return DisplayText(cells: clipped(to: columns - tail.width).cells + tail.cells)
  }
}
