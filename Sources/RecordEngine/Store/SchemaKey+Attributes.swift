import RecordModel

extension SchemaKey {
  var isOfAttributes: Bool { if case .attributes = self { true } else { false } }

  func contains(_ attribute: AttributeIndex) -> Bool {
    if case .attributes(let positions) = self { positions.contains(attribute) } else { false }
  }
}
