/// What a request came to.
public struct RequestResult<Element: Record> {
  /// One record per item, in the order of the response; an item that repeats a record yields that record again.
  /// Rule: `population.results`.
  public var records: [Element]
  /// What was inserted, updated and deleted.
  public var changes: ImportChanges
  /// What the engine noticed, in the order of its work.
  public var diagnostics: [Diagnostic]
}
