public import JSONTree
import RecordModel

/// The result of a request.
public struct RequestResult<Element: Record> {
  /// The records, one per item, in the order of the response. An item that repeats a record yields that record again.
  /// Rule: `population.results`.
  public var records: [Element]
  /// The records that were inserted, updated, deleted and left unchanged. Rule: `request.changes`.
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
  let body: ResponseBody
  let keyPathForMetaData: MappingPath?

  /// Returns the value of a header. The name can have any letter case.
  public func header(_ name: String) -> String? { headers.header(name) }
}
