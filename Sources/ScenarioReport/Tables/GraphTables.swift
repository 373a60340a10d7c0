import JSONTree
package import RecordModel
package import ScenarioComparison
import ScenarioFormat

/// A graph as text: a table for each entity, with the labels and the properties of its records.
///
/// ```
/// Post: 2 records
///   label   id  text   author
///   Post/1  1   Hello  User/7
///   Post/2  2   –      User/7
/// ```
package struct GraphTables {
  package let graph: GraphSnapshot
  package let model: Schema
  /// The number of columns of the terminal; nil for tables of any width.
  package var width: Int?

  package init(graph: GraphSnapshot, model: Schema, width: Int? = nil) {
    (self.graph, self.model, self.width) = (graph, model, width)
  }

  /// The number of columns of a value. Wider values are clipped.
  static let maximumWidth = 40
  /// The text for nil and for an empty to-many relationship.
  package static let nothing = "–"

  /// The tables, in the order of the model. Linear in the size of the graph.
  package var text: String {
    let records = Dictionary(grouping: graph.readableLabels.compactMap { graph[$0] }, by: \.entity)
    if records.isEmpty { return "no records\n" }
    let known = model.entities.map(\.name)
    let others = Set(records.keys).subtracting(known).sorted()
    return (known + others).compactMap { name in records[name].map { table(of: $0, name) } }
      .joined(separator: "\n")
  }

  private func table(of records: [RecordSnapshot], _ entity: EntityName) -> String {
    let names = model.propertyNames(of: entity)
    var rows = [(["label"] + names.map(\.rawValue)).map { DisplayText($0) }]
    for record in records {
      rows.append(
        [DisplayText(record.label.rawValue)] + names.map { Self.cell(record.properties[$0]) })
    }
    let table = TextTable(rows: rows)
    let body = width.map { table.lines(fitting: $0 - 2) } ?? table.lines
    let lines = ["\(entity): \(counted(records.count, "record"))"] + body.map { "  " + $0 }
    return lines.map { DisplayText.oneLine($0) + "\n" }.joined()
  }

  /// Returns all information about one record, with whole values and their types.
  ///
  /// ```
  /// Post/1
  ///   id      string "1"
  ///   text    –
  ///   author  User/7
  /// ```
  package static func text(of record: RecordSnapshot, model: Schema) -> String {
    let rows = model.propertyNames(of: record.entity).map { name in
      let value = record.properties[name]?.forReading
      return [DisplayText(name.rawValue), DisplayText(value.map { ValueText.of($0) } ?? nothing)]
    }
    let lines = [record.label.rawValue] + TextTable(rows: rows).lines.map { "  " + $0 }
    return lines.map { DisplayText.oneLine($0) + "\n" }.joined()
  }

  private static func cell(_ property: PropertySnapshot?) -> DisplayText {
    guard let property = property?.forReading else { return DisplayText(nothing) }
    if case .toMany(let labels, _) = property { return cell(labels) }
    return DisplayText(ValueText.plain(property)).clipped(to: maximumWidth)
  }

  /// Returns as many labels as fit, and the number of the others.
  private static func cell(_ labels: [RecordLabel]) -> DisplayText {
    var text = ""
    var width = 0
    for (index, label) in labels.enumerated() {
      let next = (index == 0 ? "" : ", ") + label.rawValue
      width += DisplayText(next).width
      if index > 0, width > maximumWidth {
        return DisplayText(text + ", … \(labels.count - index) more")
      }
      text += next
    }
    return labels.count == 1 ? DisplayText(text).clipped(to: maximumWidth) : DisplayText(text)
  }
}

extension ValueText {
  /// Returns the text of a value without its type. Strings that would not be recognized are in quotes, such as an empty
  /// string.
  package static func plain(_ property: PropertySnapshot) -> String {
    switch property {
    case .toOne(let label): return label.rawValue
    case .toMany(let labels, _): return labels.map(\.rawValue).joined(separator: ", ")
    case .attribute(let value, let type):
      let literal = value.literal(type: type)
      guard case .string(let text) = literal else { return literal.compactText() }
      let isQuoted =
        text.isEmpty || text == GraphTables.nothing || text.first?.isWhitespace ?? false
        || text.last?.isWhitespace ?? false || DisplayText.hasControlCharacters(text)
      return isQuoted ? literal.compactText() : text
    }
  }
}
