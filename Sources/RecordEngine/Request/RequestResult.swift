public import JSONTree

/// What a request came to.
public struct RequestResult<Element: Record> {
  /// One record per item, in the order of the response; an item that repeats a record yields that record again.
  /// Rule: `population.results`.
  public var records: [Element]
  /// What was inserted, updated, deleted and left as it was. Rule: `request.changes`.
  public var changes: ImportChanges
  /// What the engine noticed, in the order of its work.
  public var diagnostics: [Diagnostic]
  /// Where the response and the model do not fit each other; nil unless ``RequestOptions/reportsDrift`` asks for it.
  /// Rule: `diagnostics.drift`.
  public var drift: DriftReport?
  /// The whole response, for what is no record in it; nil for an empty body. It is kept as long as the result is.
  /// Rule: `response.custom-object`.
  public var responseObject: JSONNode?
  /// The part of the response at ``RequestOptions/keyPathForMetaData``; nil if there is nothing. Rule: `response.metadata`.
  public var metaData: JSONNode?
  /// The response's headers.
  public var headers: [String: String]
  /// The page that the records are of; nil if the request was not paged. Rule: `request.page`.
  public var pageManager: PageManager?
  /// What the pages of the run have brought so far, this one included; nil where nobody asks for orphans.
  var brought: BroughtRecords?
}
