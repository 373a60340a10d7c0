public import JSONTree
public import RecordModel

/// The deletion of stored records that a response no longer contains.
///
/// Orphans are the stored records of the requested entity and its sub-entities that are in the scope and that the
/// response does not mention. A response also mentions records that are nested, referenced by key, or unmodified. These
/// records are never orphans:
///
/// - records that were never saved
/// - records that were saved only after the request was sent, because the response cannot contain them. For a run of pages,
///   this counts from the request for the first page.
///
/// A record without a key is an orphan. To keep records that the app has created and not sent yet, exclude them with a
/// scope such as `.records("id != nil")`.
///
/// Nothing is deleted, and the diagnostic `orphans-not-evaluated` gives the reason, if the response does not determine
/// what the server has:
///
/// - The response has no list of items.
/// - An item of the entity was left out or has no identity.
/// - The response is a page other than the last one, or the run did not begin with the first page. A run reports the
///   reason once.
/// - The request is for the details of one record.
///
/// ```swift
/// var options = RequestOptions()
/// options.orphans = OrphanDeletion(scope: .records("folder == 'inbox'"), limit: .percent(20)) { item in
///   item.orphan.matches("isFavourite == YES") ? .keep : .delete
/// }
/// ```
///
/// Delete rules apply as usual, but never delete a record that the response mentions. An orphan is kept, with a
/// diagnostic, if a `deny` rule prevents its deletion or a record that is kept requires it. Items of an entity without
/// a key are new records each time, so all former records of the entity are orphans.
///
/// Rules: `population.orphans`, `orphans.scope`, `orphans.decide`, `orphans.guard`, `orphans.partial`, `orphans.empty`,
/// `orphans.pages`.
public struct OrphanDeletion: Sendable {
  /// The records that a response covers.
  public enum Scope: Sendable {
    /// All records of the requested entity.
    case all
    /// The records for which the predicate holds, in their state before the response.
    case records(RecordPredicate)
    /// The records for which the predicate holds that the closure creates from the response object. For example, a page
    /// of messages covers the days between its first and its last message.
    ///
    /// If the closure returns nil, nothing is deleted, and `orphans-not-evaluated` reports it. Each page of a run is
    /// evaluated separately.
    case response(@Sendable (JSONNode) -> RecordPredicate?)
  }

  /// The maximum number of approved deletions. If it is exceeded, nothing is deleted.
  public enum Limit: Hashable, Sendable {
    /// A number of records.
    case count(Int)
    /// A percentage of the stored records in the scope, including those that the response mentions.
    case percent(Double)
  }

  /// The records that the response covers. The default is ``Scope/all``.
  public var scope: Scope
  /// The limit that protects against an unexpectedly short response; nil, the default, for no limit. Exceeding it is
  /// reported with the diagnostic `orphan-limit`.
  public var limit: Limit?
  /// The hook that decides about each orphan; nil, the default, to delete all orphans.
  ///
  /// The hook is called once for each orphan, in the order of their keys, before any is deleted.
  public var decide: OrphanDecision.Hook?

  /// Creates an orphan deletion. By default, it deletes all orphans of the requested entity, without a limit.
  public init(scope: Scope = .all, limit: Limit? = nil, decide: OrphanDecision.Hook? = nil) {
    self.scope = scope
    self.limit = limit
    self.decide = decide
  }
}

/// The decision about an orphan. Rule: `orphans.decide`.
public enum OrphanDecision: Hashable, Sendable {
  /// Deletes the orphan.
  case delete
  /// Keeps the orphan.
  case keep
  /// Deletes the orphan, and keeps all following orphans without calling the hook for them.
  case deleteAndStop
  /// Keeps the orphan and all following orphans, without calling the hook for them.
  case keepAndStop

  /// A closure that decides about one orphan. It must not save, nor wait for a save or a request; see ``KeyInjection``.
  public typealias Hook = @Sendable (OrphanItem) -> OrphanDecision

  var deletes: Bool { self == .delete || self == .deleteAndStop }
  var stops: Bool { self == .deleteAndStop || self == .keepAndStop }
}

/// The argument of an orphan hook.
public struct OrphanItem {
  /// The orphan to decide about.
  public let orphan: RecordState
  /// The zero-based position of the orphan among all orphans.
  public let index: Int
  /// The number of orphans.
  public let count: Int
  /// The records of the response in their current state, one for each item. Tombstones are left out.
  public let populatedRecords: [RecordState]
  /// The response object.
  public let responseObject: JSONNode
}

/// The position of a response in a run of pages. Rule: `orphans.pages`.
package struct OrphanPage: Sendable {
  /// A Boolean value that indicates whether no page follows.
  package var isLast: Bool
  /// A Boolean value that indicates whether the run may continue with another page, which then determines the orphans.
  package var canContinue: Bool
  /// A Boolean value that indicates whether this is the first page that the run requested.
  package var isBeginning: Bool
  /// The records that earlier pages mention: empty for the first page; nil if the run did not begin with the first
  /// page.
  package var earlier: MentionedRecords?

  package init(isLast: Bool, canContinue: Bool, isBeginning: Bool, earlier: MentionedRecords?) {
    self.isLast = isLast
    self.canContinue = canContinue
    self.isBeginning = isBeginning
    self.earlier = earlier
  }

  /// A Boolean value that indicates whether an earlier page has reported that the orphans of this run are not
  /// evaluated.
  var isObstacleReported: Bool { !isBeginning && earlier?.isPartial ?? true }
}

/// The records that one or more responses mention.
package struct MentionedRecords: Sendable {
  /// All records that the responses mention, nested or not.
  package var records: Set<RecordID> = []
  /// A Boolean value that indicates whether the responses may mention further records: a response had no list, or an
  /// item was left out or had no identity.
  package var isPartial = false

  package init() {}
}
