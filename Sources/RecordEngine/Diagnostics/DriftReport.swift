/// Where a response and the model no longer fit each other, though the response became records: keys that nothing in the
/// model reads, mapped ones that never came, and values of another kind than their properties expect. It is how one notices
/// that a server has changed.
///
/// ```swift
/// var options = RequestOptions()
/// options.reportsDrift = true
/// let result = try await container.request(Post.self, urn: "feed", options: options, context: context)
/// if let drift = result.drift, !drift.isEmpty { print(drift) }
/// ```
///
/// prints, for a server that writes `body` where it wrote `text`,
///
/// ```text
/// Post: nothing reads 'body': 20 times, first at /data/0/body of feed
/// Post: 'text' is in none of 20 items
/// ```
///
/// What is judged is the response as the server sent it:
///
/// - Items are judged, nested ones too, each by the entity that claims it and as often as it stands there. What is around the
///   items of a response is not; nor are items that become no record: those that say that their records are gone, those that
///   no entity claims, and bare keys.
/// - A path of the model reads what it leads to, whole. One that is not asked, because another one before it has found
///   something, reads all the same, and an index reads all elements of its array. Besides, `usedWhen` and `deletedWhen` read,
///   and the key path for metadata; an entity that keeps the dictionaries of its items reads all of them.
/// - A property has come if any of its paths has found something in any item of the entity, a null included. A relationship
///   has also come if its inverse has, and a key need not come if it is computed or injected.
/// - A number is expected for a number, a string for a string, and so on, as far as nothing has to be converted; an object
///   or a bare key for a to-one, an array of these for a to-many, an object for a collection by key. Nulls are of no kind.
/// - What hooks, marshalers, representations and record types make of a dictionary, or read in it beside the model, nobody
///   knows.
///
/// Rule: `diagnostics.drift`.
public struct DriftReport: Hashable, Sendable {
  /// Everything that was looked at, in the model's order: what is no drift here may be some beside another response.
  private let tallies: [DriftTally<DriftLocation>]

  /// A report on no response, to merge others with.
  public init() { tallies = [] }

  init(_ tallies: [DriftTally<DriftLocation>]) { self.tallies = tallies }

  /// What drifted, by entity in the model's order. Entities that fit are left out.
  public var entities: [EntityDrift] { tallies.map(EntityDrift.init).filter { !$0.isEmpty } }

  /// Whether the response fits the model.
  public var isEmpty: Bool { tallies.allSatisfy { EntityDrift($0).isEmpty } }

  /// What is to be said of both responses together: counts are added, what came in one of them has come, and kinds that
  /// differ between them differ. Linear in both reports.
  ///
  /// - Parameter other: the report on a later response, by the same model.
  public func merging(_ other: DriftReport) -> DriftReport {
    var merged = Dictionary(tallies.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
    for tally in other.tallies { merged[tally.index] = merged[tally.index]?.merging(tally) ?? tally }
    return DriftReport(merged.values.sorted { $0.index < $1.index })
  }
}

extension DriftReport {
  /// Whether both show the same, ``entities``. What they would show merged with others may differ.
  public static func == (left: DriftReport, right: DriftReport) -> Bool { left.entities == right.entities }

  public func hash(into hasher: inout Hasher) { hasher.combine(entities) }
}

extension DriftReport: CustomStringConvertible {
  /// A line for each point; empty if there is none.
  public var description: String { entities.map(\.description).joined(separator: "\n") }
}
