public import JSONTree
public import RecordModel

/// Deletes stored records that a response does not bring: what the server has no longer.
///
/// Orphans are the stored records of the requested entity and its sub-entities that lie in the scope and that the response
/// does not mention anywhere, not even nested, by key, or unmodified. What the caller has not saved yet is none, nor what
/// anybody has saved since the request was sent, or the first page of its run: the response cannot know of it. Nothing is
/// deleted, and the diagnostic `orphans-not-evaluated` says why, where it is not known what the server has: the response has
/// no list of items, or an item of the entity was left out or has no identity, or it is a page and not the last one.
///
/// ```swift
/// var options = RequestOptions()
/// options.orphans = OrphanDeletion(scope: .records("folder == 'inbox'"), limit: .percent(20)) { item in
///   item.orphan.matches("isFavourite == YES") ? .keep : .delete
/// }
/// ```
///
/// Delete rules apply as elsewhere, but take nothing that the response brings. An orphan stays, with a diagnostic, if a
/// `deny` rule forbids its deletion or a record that stays requires it. Items of an entity without key are new records each
/// time, so that all former ones are orphans.
///
/// Rules: `population.orphans`, `orphans.scope`, `orphans.decide`, `orphans.guard`, `orphans.partial`, `orphans.empty`,
/// `orphans.pages`.
public struct OrphanDeletion: Sendable {
  /// Which records a response speaks for.
  public enum Scope: Sendable {
    /// All of the requested entity.
    case all
    /// Those for which the predicate holds, as they were before the response came.
    case records(RecordPredicate)
    /// Those that the response itself speaks for, as a page of messages does for the days between its first and its last:
    /// the predicate is made of the response object. Nil: none. Each page of a run is then taken by itself.
    case response(@Sendable (JSONNode) -> RecordPredicate?)
  }

  /// How many deletions may be approved before none is done.
  public enum Limit: Hashable, Sendable {
    case count(Int)
    /// Of the records that are stored in the scope, those that the response brings included.
    case percent(Double)
  }

  public var scope: Scope
  /// Guards against a response that is suddenly short. Nil: none.
  public var limit: Limit?
  /// Decides about each orphan once, in the order of keys, before any is deleted. If it is nil, all of them are deleted.
  ///
  /// A response that is saved is also populated over what the context has not saved. There, the hook is asked about
  /// orphans that the store has not; the decisions about the others hold.
  public var decide: OrphanDecision.Hook?

  public init(scope: Scope = .all, limit: Limit? = nil, decide: OrphanDecision.Hook? = nil) {
    self.scope = scope
    self.limit = limit
    self.decide = decide
  }
}

extension OrphanDeletion {
  /// Returns the same deletion with the decisions of a former population of the response. The hook is asked about other
  /// orphans only, and about none after a decision to stop.
  func repeating(_ decisions: [RecordID: OrphanDecision]) -> OrphanDeletion {
    guard let decide else { return self }
    let isStopped = decisions.values.contains(where: \.stops)
    var deletion = self
    deletion.decide = { item in
      if let decision = decisions[item.orphan.recordID] { return decision.deletes ? .delete : .keep }
      return isStopped ? .keep : decide(item)
    }
    return deletion
  }
}

/// What becomes of an orphan. Rule: `orphans.decide`.
public enum OrphanDecision: Hashable, Sendable {
  case delete
  case keep
  /// Nobody is asked about the orphans behind it, and they stay.
  case deleteAndStop
  case keepAndStop

  /// Decides about one orphan. It must not save, nor wait for a save or a request; see ``KeyInjection``.
  public typealias Hook = @Sendable (OrphanItem) -> OrphanDecision

  var deletes: Bool { self == .delete || self == .deleteAndStop }
  var stops: Bool { self == .deleteAndStop || self == .keepAndStop }
}

/// What an orphan hook is asked about.
public struct OrphanItem {
  public let orphan: RecordState
  /// The position of the orphan among all of them, from 0.
  public let index: Int
  /// How many orphans there are.
  public let count: Int
  /// The records of the response, one per item, as they are now.
  public let populatedRecords: [RecordState]
  public let responseObject: JSONNode
}

/// Which page of a run a response is. Rule: `orphans.pages`.
package struct OrphanPage: Sendable {
  /// Whether no page follows.
  package var isLast: Bool
  /// Whether the run may go on with another page, which then says what becomes of orphans.
  package var goesOn: Bool
  /// Whether it is the first page that the run asked for.
  package var isBeginning: Bool
  /// What the pages before have brought: nothing for the first one; nil if the run did not begin with the first.
  package var earlier: BroughtRecords?

  package init(isLast: Bool, goesOn: Bool, isBeginning: Bool, earlier: BroughtRecords?) {
    self.isLast = isLast
    self.goesOn = goesOn
    self.isBeginning = isBeginning
    self.earlier = earlier
  }

  /// Whether a page before has told that orphans are not looked for in this run.
  var isTold: Bool { !isBeginning && earlier?.isPartial ?? true }
}

/// What responses have brought.
package struct BroughtRecords: Sendable {
  /// Everything that they mention, nested or not.
  package var records: Set<RecordID> = []
  /// Whether they may have meant more: there was no list, or an item was left out or had no identity.
  package var isPartial = false

  package init() {}
}
