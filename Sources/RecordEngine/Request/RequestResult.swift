public import JSONTree
import RecordModel

/// What a request came to.
public struct RequestResult<Element: Record> {
  /// One record per item, in the order of the response; an item that repeats a record yields that record again.
  /// Rule: `population.results`.
  public var records: [Element]
  /// What was inserted, updated, deleted and left as it was. Rule: `request.changes`.
  public var changes: ImportChanges
  /// What the engine noticed, in the order of its work.
  public var diagnostics: [Diagnostic]
  /// Where the response and the model do not fit each other; nil unless ``RequestOptions/reportsDrift`` asks for it, and
  /// where the answer comes from the cache. Rule: `diagnostics.drift`.
  public var drift: DriftReport?
  /// The whole response, for what is no record in it; nil for an empty body. It is kept as long as the result is.
  /// Rule: `response.custom-object`.
  ///
  /// Where the answer comes from the cache it is read when it is first asked for. With
  /// ``RequestOptions/keyPathForMetaData`` it is then an object with nothing but that part. Rule: `cache.metadata`.
  public var responseObject: JSONNode? { body.root }
  /// The part of the response at ``RequestOptions/keyPathForMetaData``; nil if there is nothing. Rule: `response.metadata`.
  public var metaData: JSONNode? { keyPathForMetaData.flatMap { body.metaData(at: $0)?.node } }
  /// The response's headers. The names are as the server has written them, or in lower case where the answer comes from
  /// the cache; ``header(_:)`` finds them in any case.
  public var headers: [String: String]
  /// Where the answer comes from. Rules: `cache.*`.
  public var served: Served
  /// The page that the records are of; nil if the request was not paged. Rule: `request.page`.
  public var pageManager: PageManager?
  /// What the pages of the run have brought so far, this one included; nil where nobody asks for orphans.
  var brought: BroughtRecords?
  let body: ResponseBody
  let keyPathForMetaData: MappingPath?

  /// The value of a header, whose name may be written in any case.
  public func header(_ name: String) -> String? { headers.header(name) }
}
