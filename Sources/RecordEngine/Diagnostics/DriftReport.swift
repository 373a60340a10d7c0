/// The differences between a response and the model, for a response that became records. A report contains keys that
/// nothing in the model reads, mapped keys that never occur, and values of unexpected kinds. It shows that a server has
/// changed.
///
/// ```swift
/// var options = RequestOptions()
/// options.reportsDrift = true
/// let result = try await container.request(Post.self, urn: "feed", options: options, context: context)
/// if let drift = result.drift, !drift.isEmpty { print(drift) }
/// ```
///
/// For a server that now sends `body` instead of `text`, this prints:
///
/// ```text
/// Post: drift in 20 items
///   unused key 'body': 20 times, first at /data/0/body of feed
///   'text' is missing in all 20 items
/// ```
///
/// The report covers the response as the server sent it:
///
/// - It covers all items, nested ones included, each with the entity that claims it and as often as it occurs. It does
///   not cover the parts of the response around the items, and items that become no record: those that mark deleted
///   records, those that no entity claims, and bare keys.
/// - A path of the model reads the value it leads to as a whole. It counts as read even if an earlier path of the
///   property has found a value. An index reads all elements of its array. `usedWhen`, `deletedWhen` and the key path
///   for metadata read values too. An entity that keeps the dictionaries of its items reads all keys.
/// - Keys that match ``EntityDescription/ignores`` are left out.
/// - A property occurs if any of its paths finds a value in any item of the entity, including null. A relationship also
///   occurs if its inverse does. The to-many side of a to-one need not occur, unless the model declares that items
///   contain it (rule `diagnostics.drift-inverse`). A key that is computed or injected need not occur.
/// - An attribute expects the kind that needs no conversion, such as a number for a number and a string for a string. A
///   to-one expects an object or a bare key, a to-many an array of these, and a collection by key an object. Null has
///   no kind.
/// - The report does not cover the changes that hooks, marshalers, representations and record types make to a
///   dictionary, or the values that they read outside the model.
///
/// Rules: `diagnostics.drift`, `diagnostics.drift-ignored`, `diagnostics.drift-inverse`.
public struct DriftReport: Hashable, Sendable {
  /// The counts of all entities, in the model's order. Counts without drift in this report may have drift in a merged
  /// report.
  private let tallies: [DriftTally<DriftLocation>]

  /// Creates a report on no response, to merge others into.
  public init() { tallies = [] }

  init(_ tallies: [DriftTally<DriftLocation>]) { self.tallies = tallies }

  /// The differences of each entity, in the model's order. Entities without differences are left out.
  public var entities: [EntityDrift] { tallies.map(EntityDrift.init).filter { !$0.isEmpty } }

  /// The entities with items, with and without differences, in the model's order.
  package var allEntities: [EntityDrift] { tallies.map(EntityDrift.init).filter { $0.itemCount > 0 } }

  /// The properties that items of each entity contain.
  package var sentProperties: [EntityName: [PropertyName]] {
    Dictionary(
      tallies.map { ($0.entity, $0.properties.filter(\.isSent).map(\.name)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// A Boolean value that indicates whether the response fits the model.
  public var isEmpty: Bool { tallies.allSatisfy { EntityDrift($0).isEmpty } }

  /// Returns a report on both responses. Counts are added. A property occurs if it occurs in one of the responses.
  /// Kinds that differ between the responses are differences.
  ///
  /// - Parameter other: the report on a later response, with the same model.
  /// - Complexity: linear in the size of both reports.
  public func merging(_ other: DriftReport) -> DriftReport {
    var merged = Dictionary(tallies.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
    for tally in other.tallies { merged[tally.index] = merged[tally.index]?.merging(tally) ?? tally }
    return DriftReport(merged.values.sorted { $0.index < $1.index })
  }
}

extension DriftReport {
  /// Returns whether both reports have the same ``entities``. The results of merging them with other reports may
  /// differ.
  public static func == (left: DriftReport, right: DriftReport) -> Bool { left.entities == right.entities }

  public func hash(into hasher: inout Hasher) { hasher.combine(entities) }
}

extension DriftReport: CustomStringConvertible {
  /// The differences of each entity: a line with the entity, and an indented line for each difference. Empty
  /// without differences.
  public var description: String { entities.map(\.description).joined(separator: "\n") }
}
