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
///     feed = try Feed(database: DatabaseQueue(), session: context.session, baseURL: context.baseURL)
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
  /// Creates the app with an empty store.
  ///
  /// - Throws: any error if the app cannot be created. The result of the scenario is then unknown.
  init(_ context: AdapterContext) async throws

  /// The actions by the names that `call` steps use.
  var actions: [String: AdapterAction<Self>] { get }

  /// Returns all rows of the store, those of the tables without rows included.
  ///
  /// - Throws: any error if the rows cannot be read. The result of the scenario is then unknown.
  func dump() async throws -> StoreDump

  /// Ends the app and creates it again on the same store, as after a restart. Without an implementation, scenarios with
  /// `reopen` steps break and say so.
  mutating func reopen() async throws

  /// Moves the clock of the app. Without an implementation, scenarios with `advance` steps break and say so.
  mutating func advance(to now: Date) async throws
}

extension ScenarioAdapter {
  public mutating func reopen() async throws {
    throw AdapterError("the adapter does not support 'reopen': it has no method 'reopen()'")
  }

  public mutating func advance(to now: Date) async throws {
    throw AdapterError("the adapter does not support 'advance': it has no method 'advance(to:)'")
  }
}

/// An action of an app.
public struct AdapterAction<Adapter> {
  /// The work of the action. It returns when the store is settled, and throws if the action fails.
  public let perform: (Adapter, ActionArguments) async throws -> Void

  /// Creates an action without arguments.
  public init(_ perform: @escaping (Adapter) async throws -> Void) {
    self.perform = { adapter, _ in try await perform(adapter) }
  }

  /// Creates an action with the arguments of `with:`.
  public init(_ perform: @escaping (Adapter, ActionArguments) async throws -> Void) {
    self.perform = perform
  }
}

/// The arguments of an action, which a step states in `with:`.
public struct ActionArguments: Sendable {
  /// The arguments as JSON; `null` if the step has none.
  public let json: Data

  /// Creates arguments from JSON.
  public init(json: Data) { self.json = json }

  /// Returns the arguments as a value.
  ///
  /// - Throws: ``AdapterError`` if they do not have this form.
  public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: json)
    } catch {
      throw AdapterError("'with' is not a \(type): \(error)")
    }
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
