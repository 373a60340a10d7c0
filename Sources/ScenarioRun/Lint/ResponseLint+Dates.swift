import Foundation
import RecordEngine
import RecordModel
import ScenarioComparison
import ScenarioFormat

/// Numbers for dates that are probably in another unit than the format states.
extension ResponseLint {
  /// The latest date that a response of today probably contains: 2200-01-01.
  private static let latestDate = Date(timeIntervalSince1970: 7_258_118_400)
  /// The date of today's seconds if they are read as milliseconds: a few months after 1970, at most.
  private static let latestSeconds = Date(timeIntervalSince1970: 10_000_000)

  /// Returns a warning for each attribute with such a number, at the first of them.
  func implausibleDates() -> [AuthorDiagnostic] {
    var attributes: Set<String> = []
    var warnings: [AuthorDiagnostic] = []
    for received in responses {
      for record in received.response.population?.records ?? [] {
        for attribute in record.attributes {
          guard let value = attribute.value,
            let warning = implausibleDate(value, attribute.name, record.entity, in: received)
          else { continue }
          if attributes.insert("\(record.entity).\(attribute.name)").inserted { warnings.append(warning) }
        }
      }
    }
    return warnings
  }

  private func implausibleDate(
    _ value: ValueProvenance, _ name: PropertyName, _ entity: EntityName, in received: Received
  ) -> AuthorDiagnostic? {
    guard value.node.kind == .number, let attribute = scenario.model.schema.attribute(name, of: entity),
      case .date(let date)? = AttributeValue(
        converting: value.node, to: attribute.type, dateFormat: attribute.dateFormat)
    else { return nil }
    let isInMilliseconds = attribute.dateFormat?.unit == .milliseconds
    let isImplausible =
      isInMilliseconds
      ? date > Date(timeIntervalSince1970: 0) && date < Self.latestSeconds : date > Self.latestDate
    guard isImplausible else { return nil }
    let isInResponse = value.node.document === received.response.population?.document
    let span = isInResponse ? span(of: value.node, at: value.node.pointer, in: received) : nil
    let unit = isInMilliseconds ? "milliseconds" : "seconds"
    return AuthorDiagnostic(
      .implausibleDate, of: "\(entity).\(name)", at: span.map { .span($0) } ?? .file(scenario.file.path),
      "\(value.node.value.compactText()) as \(unit) since 1970 is in the year \(date.year)",
      advice: isInMilliseconds
        ? "write 'format: unix' if the server sends seconds"
        : "write 'format: unix-milliseconds' if the server sends milliseconds")
  }
}

extension Date {
  /// The year in UTC.
  fileprivate var year: String { String(rfc3339Text(self).drop { $0 == "+" }.prefix { $0 != "-" }) }
}
