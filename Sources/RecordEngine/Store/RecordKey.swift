/// The values of the key attributes of a record, in the order of their declaration.
package enum RecordKey: Hashable, Sendable {
  case single(AttributeValue)
  case composite([AttributeValue])

  package init(_ values: [AttributeValue]) {
    self = values.count == 1 ? .single(values[0]) : .composite(values)
  }

  package var values: [AttributeValue] {
    switch self {
    case .single(let value): [value]
    case .composite(let values): values
    }
  }
}
