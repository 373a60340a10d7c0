package import RecordModel
import ScenarioFormat

extension GraphSnapshot {
  /// Returns the contradictions in the graph, independent of expectations: links to missing records, and relationships
  /// whose inverse does not match. Rule: `relationships.inverse`. Linear in the number of records and links.
  package func contradictions(model: Schema) -> Differences {
    var differences = Differences()
    var backLinks: [RecordLabel: [PropertyName: Set<RecordLabel>]] = [:]
    for (label, record) in records {
      for (name, property) in record.properties where !property.links.isEmpty {
        backLinks[label, default: [:]][name] = Set(property.links)
      }
    }
    for label in labels {
      guard let record = records[label] else { continue }
      for (name, property) in record.properties.sorted(by: { $0.key < $1.key }) {
        let inverse = model.relationship(name, of: record.entity)?.inverse.map {
          model.relationships[$0].name
        }
        for link in property.links {
          if records[link] == nil {
            differences.append(
              Difference(
                .dangling, at: .graph, record: label, property: name.rawValue, actual: link.rawValue,
                note: "the record does not exist"))
          } else if let inverse, backLinks[link]?[inverse]?.contains(label) != true {
            differences.append(
              Difference(
                .inverse, at: .graph, record: label, property: name.rawValue,
                expected: "\(label) in '\(inverse)' of \(link)",
                actual: ValueText.clipped(ValueText.of(records[link]?.properties[inverse]))))
          }
        }
      }
    }
    return differences
  }
}
