/// A record type whose requests start from options of its own. Its subclasses inherit them.
///
/// ```swift
/// final class Draft: Record, RequestDefaults {
///   static var defaultOptions: RequestOptions {
///     var options = RequestOptions()
///     options.automaticallyPersistsRecords = false
///     return options
///   }
/// }
/// ```
/// Rule: `request.defaults`.
public protocol RequestDefaults: Record {
  /// The options of requests that are given none.
  static var defaultOptions: RequestOptions { get }
}
