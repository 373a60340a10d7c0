/// A record type with default options for its requests. Its subclasses inherit them.
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
///
/// Rule: `request.defaults`.
public protocol RequestDefaults: Record {
  /// The options of requests that have none.
  static var defaultOptions: RequestOptions { get }
}
