import JSONTree
import RecordModel

extension ManagedObjectContext {
  /// Returns the address of a record's details as its entity declares it; nil if the entity declares none, or if a
  /// value is missing, empty, or a path segment that leads elsewhere.
  func detailURN(of id: RecordID) -> String? {
    guard let row = row(id), let address = schema.entities[row.entity].detailAddress else { return nil }
    var urn = ""
    for part in address.parts {
      switch part {
      case .text(let text): urn += text
      case .keyPath(let names):
        // The segments `.` and `..` would lead to another address.
        guard let text = text(of: names[...], id), address.isWhole || (text != "." && text != "..") else {
          return nil
        }
        urn += address.isWhole ? text : PercentEncoding.parameter(text)
      }
    }
    return urn
  }

  private func text(of names: ArraySlice<PropertyName>, _ id: RecordID) -> String? {
    guard let first = names.first, let row = row(id) else { return nil }
    if names.count > 1 {
      return toOne(first, of: id).flatMap { text(of: names.dropFirst(), $0) }
    }
    let entity = schema.entities[row.entity]
    guard let position = entity.attributeIndices[first], let value = value(first, of: id) else {
      return nil
    }
    let literal = value.literal(type: entity.attributes[position].type)
    if case .string(let text) = literal { return text.isEmpty ? nil : text }
    return literal.compactText()
  }
}
