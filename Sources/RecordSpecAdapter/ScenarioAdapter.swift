public import Foundation

/// An app, or the part of an app that stores responses, as scenarios run it.
///
/// Each scenario creates an adapter of its own, with an empty store. It performs the actions that the `call` steps name, and
/// compares the rows that ``dump()`` returns after each step.
///
/// ```swift
/// struct FeedAdapter: ScenarioAdapter {
///   let feed: Feed
///
///   init(_ context: AdapterContext) throws {
///     let database = try DatabaseQueue(path: context.folder.appending(path: "feed.sqlite").path)
///     feed = try Feed(database: database, session: context.session, baseURL: context.baseURL)
///   }
///
///   var actions: [String: AdapterAction<Self>] {
///     ["refresh": .init { try await $0.feed.refresh() }, "loadMore": .init { try await $0.feed.loadMore() }]
///   }
///
///   func dump() throws -> StoreDump {
///     var dump = StoreDump()
///     try dump.add("post", feed.posts())
///     return dump
///   }
/// }
/// ```
///
/// An error that an action throws is the failure of the app, which a scenario can expect with `failure: {}`. Throw an
/// ``AdapterError`` if the adapter itself cannot do its work.
public protocol ScenarioAdapter: SendableMetatype {
  /// Creates the app on the store in the folder of the scenario, which is empty at first.
  ///
  /// For a `reopen` step, the scenario releases the adapter and creates another one with the same folder, as when a user ends the
  /// app and starts it again.
  ///
  /// - Throws: any error if the app cannot be created. The result of the scenario is then unknown.
  init(_ context: AdapterContext) async throws

  /// The actions by the names that `call` steps use.
  var actions: [String: AdapterAction<Self>] { get }

  /// Returns all rows of the store, those of the tables without rows included.
  ///
  /// - Throws: any error if the rows cannot be read. The result of the scenario is then unknown.
  func dump() async throws -> StoreDump

  /// Moves the clock of the app. Without an implementation, scenarios with `advance` steps break and say so.
  mutating func advance(to now: Date) async throws
}

extension ScenarioAdapter {
  public mutating func advance(to now: Date) async throws {
    throw AdapterError("the adapter does not support 'advance': it has no method 'advance(to:)'")
  }
}

/// An action of an app.
public struct AdapterAction<Adapter> {
  /// The work of the action, with the arguments as JSON; nil if the step states none.
  package let perform: (Adapter, _ arguments: Data?) async throws -> Void

  /// Creates an action without arguments. It returns when the store is settled, and throws if the action fails.
  ///
  /// If a step states arguments in `with:`, the result of the scenario is unknown.
  public init(_ perform: @escaping (Adapter) async throws -> Void) {
    self.perform = { adapter, json in
      guard json == nil else {
        throw ArgumentsError(description: "has no arguments, and the step has 'with'")
      }
      try await perform(adapter)
    }
  }

  /// Creates an action with the arguments that a step states in `with:`. It returns when the store is settled, and throws if the
  /// action fails.
  ///
  /// ```swift
  /// struct Edit: Decodable { var id: Int, text: String }
  ///
  /// ["edit": .init(with: Edit.self) { try await $0.feed.edit($1.id, text: $1.text) }]
  /// ```
  ///
  /// If `with:` does not have the form of the arguments, the result of the scenario is unknown.
  public init<Arguments: Decodable>(
    with: Arguments.Type, _ perform: @escaping (Adapter, Arguments) async throws -> Void
  ) {
    self.perform = { adapter, json in
      let arguments: Arguments
      do {
        arguments = try JSONDecoder().decode(Arguments.self, from: json ?? Data("null".utf8))
      } catch {
        throw ArgumentsError(error, isGiven: json != nil)
      }
      try await perform(adapter, arguments)
    }
  }
}

/// An error that indicates that the arguments of a step do not have the form of the action's. The message continues the name of
/// the action.
package struct ArgumentsError: Error, CustomStringConvertible {
  package let description: String
}

extension ArgumentsError {
  /// Creates the error for an error of the decoder.
  ///
  /// - Parameter isGiven: a Boolean value that indicates whether the step states arguments.
  fileprivate init(_ error: any Error, isGiven: Bool) {
    func name(_ path: [any CodingKey]) -> String {
      "'" + (["with"] + path.map { $0.intValue.map(String.init) ?? $0.stringValue }).joined(separator: ".")
        + "'"
    }
    let reason =
      switch error {
      case _ where !isGiven: "the step has no 'with'"
      case DecodingError.keyNotFound(let key, let context):
        "\(name(context.codingPath)) has no '\(key.stringValue)'"
      case DecodingError.typeMismatch(let type, let context):
        "\(name(context.codingPath)) is not a value of the type \(type)"
      case DecodingError.valueNotFound(_, let context): "\(name(context.codingPath)) is missing or null"
      default: "'with' cannot be decoded: \(error)"
      }
    self.init(description: "has other arguments: \(reason)")
  }
}

/// An error of an adapter, in contrast to a failure of the app. The result of the scenario is then unknown.
public struct AdapterError: Error, CustomStringConvertible, LocalizedError {
  /// The message for people, in one sentence without a period.
  public let description: String

  /// Creates an error.
  public init(_ description: String) { self.description = description }

  public var errorDescription: String? { description }
}
