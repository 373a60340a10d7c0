import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat
import ScenarioRun

/// The graphs of a run as the page of the HTML report reads them: before the first step and after each step, each as the
/// change since the one before, with a drawing.
struct GraphDetails {
  /// The maximum number of characters of a value that are shown.
  private static let maximumLength = 2000

  let result: ActualResult
  /// The maximum number of values that are listed: those of the first graph, and those of the records that later graphs
  /// change.
  var maximumValues = 20_000

  func add(to object: inout JSONFormObject, _ notes: inout [String]) {
    let graphs = result.executed.graphs
    let changes = zip([GraphSnapshot()] + graphs, graphs)
    if Self.count(of: changes) <= maximumValues {
      let entities = Set(graphs.flatMap { $0.records.values.map(\.entity) })
      object.add(
        "entities",
        sorted: entities.map { entity in
          (
            entity.rawValue,
            .array(result.model.propertyNames(of: entity).map { .string($0.rawValue) })
          )
        })
      object.add("graphs", list: changes.map(change))
    } else {
      notes.append(
        "The records are not listed, because they and their changes have more than \(ValueText.grouped(maximumValues)) values; 'recordspec show' prints the records."
      )
    }
    object.add("drawings", list: graphs.indices.map { drawing(GraphDrawing(of: result, afterStep: $0)) })
    if !graphs.isEmpty { object.add("measures", Self.measures) }
  }

  // MARK: Records

  /// Returns the number of values that changes list. Each member of a to-many relationship is a value.
  private static func count(of changes: some Sequence<(GraphSnapshot, GraphSnapshot)>) -> Int {
    changes.lazy.flatMap(changed).reduce(0) { count, entry in
      entry.value.properties.values.reduce(count) { $0 + max(1, $1.links.count) }
    }
  }

  /// Returns the records that a graph has and the one before it does not have, or not with these values.
  private static func changed(
    from before: GraphSnapshot, to after: GraphSnapshot
  ) -> [RecordLabel: RecordSnapshot] {
    after.records.filter { before[$0.key] != $0.value }
  }

  private func change(from before: GraphSnapshot, to after: GraphSnapshot) -> JSONValue {
    var object = JSONFormObject()
    let changed = Self.changed(from: before, to: after)
    if !changed.isEmpty {
      object.add(
        "records",
        .object(
          JSONObject(
            changed.keys.sortedForReading().compactMap { label in
              changed[label].map { (label.rawValue, record($0)) }
            })))
    }
    object.add("removed", names: before.records.keys.filter { after[$0] == nil }.sortedForReading())
    return object.form
  }

  private func record(_ record: RecordSnapshot) -> JSONValue {
    let properties = result.model.propertyNames(of: record.entity).compactMap { name in
      record.properties[name].map { (name.rawValue, Self.value($0)) }
    }
    var object = JSONFormObject()
    object.add("entity", record.entity.rawValue)
    object.add("properties", .object(JSONObject(properties)))
    return object.form
  }

  private static func value(_ property: PropertySnapshot) -> JSONValue {
    switch property.forReading {
    case .attribute: .string(ValueText.clipped(ValueText.of(property), to: maximumLength))
    case .toOne(let label): ["to": .string(label.rawValue)]
    case .toMany(let labels, _): .array(labels.map { .string($0.rawValue) })
    }
  }

  // MARK: Drawings

  /// The measures of the texts in drawings, and the signs that begin texts with changes.
  private static var measures: JSONValue {
    var object = JSONFormObject()
    object.add("columnWidth", DrawingLayout.columnWidth)
    object.add("lineHeight", DrawingLayout.lineHeight)
    object.add("padding", DrawingLayout.padding)
    object.add("descent", DrawingLayout.descent)
    object.add(
      "signs",
      .object(JSONObject(GraphDrawing.Change.allCases.map { ($0.rawValue, .string($0.sign)) })))
    return object.form
  }

  private func drawing(_ drawing: GraphDrawing) -> JSONValue {
    let layout = DrawingLayout(drawing)
    var object = JSONFormObject()
    object.add("width", layout.size.width)
    object.add("height", layout.size.height)
    object.add("captions", list: drawing.captions.map { .string(DisplayText.oneLine($0)) })
    object.add(
      "nodes",
      list: zip(drawing.nodes, layout.nodes).map { source, node in
        var object = JSONFormObject()
        if !drawing.isFolded { object.add("label", source.title) }
        object.add("lines", list: node.texts.map { .string(DisplayText.oneLine($0)) })
        object.add("x", node.frame.x)
        object.add("y", node.frame.y)
        object.add("width", node.frame.width)
        object.add("height", node.frame.height)
        if node.change != .none { object.add("change", node.change.rawValue) }
        return object.form
      })
    object.add(
      "edges",
      list: layout.edges.map { edge in
        var object = JSONFormObject()
        object.add("line", edge.line)
        object.add("heads", list: edge.heads.map(JSONValue.string))
        object.add("text", DisplayText.oneLine(edge.text))
        object.add("x", edge.textPosition.x)
        object.add("y", edge.textPosition.y)
        if edge.change != .none { object.add("change", edge.change.rawValue) }
        return object.form
      })
    object.add("folded", flag: drawing.isFolded)
    return object.form
  }
}

extension JSONFormObject {
  /// Adds a length with at most one decimal.
  fileprivate mutating func add(_ key: String, _ length: Double) {
    add(key, JSONNumber(digits: DrawingLayout.number(length)).map(JSONValue.number))
  }
}
