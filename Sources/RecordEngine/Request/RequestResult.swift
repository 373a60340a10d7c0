public import JSONTree
import RecordModel

/// The result of a request.
public struct RequestResult<Element: Record> {
  let list: ResultRecords<Element>
  /// The records, one per item, in the order of the response. An item that repeats a record yields that record again.
  /// Rule: `population.results`.
  ///
  /// - Complexity: O(*n*) for the first access, which creates the objects of *n* records, and O(1) after it.
  public var records: [Element] { list.records }
  /// The identifiers of the records that were inserted, updated, deleted and left unchanged, and the old and new values of
  /// the updated properties. ``inserted``, ``updated`` and ``deleted`` are the records. Rule: `request.changes`.
  public var changes: ImportChanges
  /// The diagnostics, in the order in which the engine found them.
  public var diagnostics: [Diagnostic]
  /// The differences between the response and the model; nil unless ``RequestOptions/reportsDrift`` is set, and nil for
  /// a cached response. Rule: `diagnostics.drift`.
  public var drift: DriftReport?
  /// The whole response, for values that belong to no record; nil for an empty body. It stays in memory as long as the
  /// result. Rule: `response.custom-object`.
  ///
  /// A cached response is read on first access. With ``RequestOptions/keyPathForMetaData``, it is then an object that
  /// contains only that part. Rule: `cache.metadata`.
  public var responseObject: JSONNode? { body.root }
  /// The part of the response at ``RequestOptions/keyPathForMetaData``; nil if there is none.
  /// Rule: `response.metadata`.
  public var metaData: JSONNode? { keyPathForMetaData.flatMap { body.metaData(at: $0)?.node } }
  /// The headers of the response. The names are spelled as the server sent them, or in lowercase for a cached response.
  /// ``header(_:)`` finds a header in any letter case.
  public var headers: [String: String]
  /// The source of the response. Rules: `cache.*`.
  public var served: Served
  /// The position of the page; nil if the request was not paged. Rule: `request.page`.
  public var pageManager: PageManager?
  /// The records of the pages of the run so far, including this one; nil if the request deletes no orphans.
  var mentioned: MentionedRecords?
  /// The replaced lists of the pages of the run so far, including this one; nil for a cached response.
  var replacedLists: ReplacedLists?
  /// The provenance of the records; nil unless the container records it, and nil for a dry run.
  package var provenance: ResponseProvenance?
  /// The context of the records. A dry run has its own.
  package let context: ManagedObjectContext
  let body: ResponseBody
  let keyPathForMetaData: MappingPath?

  /// The records that the response inserted, of the requested entity and of all others, in the order of their creation.
  /// Records that have been deleted since are left out. Rule: `request.changes`.
  ///
  /// - Complexity: O(*n*) for each access, where *n* is the number of the records. Rows that the context does not have are
  ///   read in one batch.
  public var inserted: [Record] { records(changes.inserted) }

  /// The records that existed before and that the response changed, of the requested entity and of all others. Records that
  /// have been deleted since are left out. Rule: `request.changes`.
  ///
  /// - Complexity: O(*n*) for each access, where *n* is the number of the records. Rows that the context does not have are
  ///   read in one batch.
  public var updated: [Record] { records(changes.updated.map(\.id)) }

  /// The identifiers of the deleted records, including those that a delete rule deleted with another record. A deleted
  /// record has no object. Rule: `request.changes`.
  public var deleted: [RecordID] { changes.deleted }

  /// Returns the value of a header. The name can have any letter case.
  public func header(_ name: String) -> String? { headers.header(name) }

  /// The identifiers of ``records``. They are Sendable: other contexts obtain the records with
  /// ``ManagedObjectContext/record(with:)``.
  ///
  /// - Complexity: O(1) for the records of a saved response, otherwise O(*n*).
  public var recordIDs: [RecordID] { list.ids }

  private func records(_ ids: [RecordID]) -> [Record] {
    context.records(with: ids.map(context.successors.current))
  }
}
