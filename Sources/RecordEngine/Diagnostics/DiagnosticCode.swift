/// The stable name of a kind of diagnostic, `missing-primary-key`.
public struct DiagnosticCode: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

extension DiagnosticCode {
  // MARK: Codes of the reference (MMRecordDebugger)

  /// 1: no server is registered for the record type. Fails the request.
  public static let undefinedServer = DiagnosticCode(rawValue: "undefined-server")
  /// 2: a paged request, and neither its options nor the server say how there are pages. Fails the request.
  public static let undefinedPageManager = DiagnosticCode(rawValue: "undefined-page-manager")
  /// 3: an item has nothing that identifies its record.
  public static let missingPrimaryKey = DiagnosticCode(rawValue: "missing-primary-key")
  /// 4: the model has no such entity. Fails the request.
  public static let invalidEntity = DiagnosticCode(rawValue: "invalid-entity")
  /// 6: the response is no JSON, or cannot be records. Fails the request.
  public static let invalidResponseFormat = DiagnosticCode(rawValue: "invalid-response-format")
  /// 7: the response holds no items.
  public static let emptyResultSet = DiagnosticCode(rawValue: "empty-result-set")
  /// 700: the store could not be read. Fails the request.
  public static let fetchError = DiagnosticCode(rawValue: "fetch-error")
  /// 701: the result could not be saved. Fails the request.
  public static let saveError = DiagnosticCode(rawValue: "save-error")
  /// The server answered with a status that brings no records: 300 or more, or a part of them (206) that nobody has asked for.
  /// Fails the request. Rule: `request.failure`.
  public static let httpStatus = DiagnosticCode(rawValue: "http-status")
  /// The request was cancelled, by its task or by its domain. Fails the request. Rule: `request.cancel`.
  public static let cancelled = DiagnosticCode(rawValue: "cancelled")
  /// A next page has been visited already in the same run, or the last page brought nothing new. Fails the run. Rule:
  /// `request.page.loop`.
  public static let pageLoop = DiagnosticCode(rawValue: "page-loop")
  /// A run has as many pages as it may have. Fails the run. Rule: `request.page.limit`.
  public static let pageLimit = DiagnosticCode(rawValue: "page-limit")
  /// The record has no address for its details. Fails the request. Rule: `request.detail`.
  public static let undefinedDetailURN = DiagnosticCode(rawValue: "undefined-detail-urn")
  /// The details of a record were asked for, to be saved, that is not saved itself. Fails the request. Rule:
  /// `request.detail`.
  public static let unsavedRecord = DiagnosticCode(rawValue: "unsaved-record")
  /// The details of one record were asked for, and the response is of another. Fails the request. Rule:
  /// `request.detail`.
  public static let recordMismatch = DiagnosticCode(rawValue: "record-mismatch")
  /// 999: anything else. Fails the request.
  public static let unknown = DiagnosticCode(rawValue: "unknown")

  // MARK: Codes of this engine

  /// The file of tweaks cannot be read, or does not fit the model. Fails the request. Rule: `tweaks.file`.
  public static let invalidTweaks = DiagnosticCode(rawValue: "invalid-tweaks")
  /// A key stands twice in an object of the response; the last one counts.
  public static let duplicateKey = DiagnosticCode(rawValue: "duplicate-key")
  /// An item among others that can be no record was left out. Rule: `response.invalid-item`.
  public static let invalidItem = DiagnosticCode(rawValue: "invalid-item")
  /// A null inside an array of items was left out. Rule: `mapping.null-element`.
  public static let nullElement = DiagnosticCode(rawValue: "null-element")
  /// No sub-entity of an abstract entity claims the item. Rule: `subentity.abstract`.
  public static let noEntity = DiagnosticCode(rawValue: "no-entity")
  /// A value cannot become what the property is. Rules: `values.*`.
  public static let valueType = DiagnosticCode(rawValue: "value-type")
  /// A required attribute without default met a null and kept its value. Rule: `mapping.null`.
  public static let nullRequired = DiagnosticCode(rawValue: "null-required")
  /// Two full dictionaries of one record differ. Rule: `merge.inconsistent`.
  public static let inconsistentDuplicates = DiagnosticCode(rawValue: "inconsistent-duplicates")
  /// Two lists claim one record. Rule: `relationships.conflict`.
  public static let inconsistentLinks = DiagnosticCode(rawValue: "inconsistent-links")
  /// The item names one parent and is nested in another. Rule: `identity.relationship-key`.
  public static let inconsistentParents = DiagnosticCode(rawValue: "inconsistent-parents")
  /// A stored record took the entity of the item. Rule: `identity.sub-entity`.
  public static let entityChanged = DiagnosticCode(rawValue: "entity-changed")
  /// A record of another entity stands where the relationship leads. Rule: `relationships.sub-entity`.
  public static let entityMismatch = DiagnosticCode(rawValue: "entity-mismatch")
  /// An array where one record is declared; the first was taken. Rule: `relationships.many-for-one`.
  public static let manyForOne = DiagnosticCode(rawValue: "many-for-one")
  /// A reference to a record that nobody has brought. Rule: `relationships.weak`.
  public static let missingReference = DiagnosticCode(rawValue: "missing-reference")
  /// Children exist, but none equals the item. Rule: `identity.relationship-key.to-many`.
  public static let unmatchedChild = DiagnosticCode(rawValue: "unmatched-child")
  /// A record that was to be deleted stays, because a delete rule denies it. Rules: `relationships.replace`,
  /// `orphans.decide`, `orphans.tombstone`.
  public static let deniedDeletion = DiagnosticCode(rawValue: "denied-deletion")
  /// A member that requires its owner was not unlinked, or its owner not deleted. Rules: `relationships.replace`,
  /// `orphans.decide`, `orphans.tombstone`.
  public static let requiredOwner = DiagnosticCode(rawValue: "required-owner")
  /// Orphans were to be deleted, but nobody can tell which records are orphans. Of a run of pages it is told once, by the page
  /// from which on it is known; a page that has more behind it, and is as it should be, does not tell it. Rules: `orphans.pages`,
  /// `orphans.partial`, `orphans.empty`.
  public static let orphansNotEvaluated = DiagnosticCode(rawValue: "orphans-not-evaluated")
  /// More orphans were to be deleted than the limit allows, and none was. Rule: `orphans.guard`.
  public static let orphanLimit = DiagnosticCode(rawValue: "orphan-limit")
  /// A response was to be cached, and its server does not say what it sends (``Server/description(of:)``).
  /// Rule: `cache.store`.
  public static let undescribedRequest = DiagnosticCode(rawValue: "undescribed-request")
  /// A request whose options turn caching on has hooks of its own, and passes the cache by: nobody else knows what they make
  /// of a response. Rule: `cache.isolation`.
  public static let uncacheableRequest = DiagnosticCode(rawValue: "uncacheable-request")
  /// The server failed, and what was cached has answered in its place. Rule: `cache.stale-if-error`.
  public static let staleResponse = DiagnosticCode(rawValue: "stale-response")
  /// The record cache was damaged, of another version, or removed or replaced while it was in use, and was made anew: what it
  /// held is gone. Rule: `cache.damaged`.
  public static let cacheRebuilt = DiagnosticCode(rawValue: "cache-rebuilt")
  /// The record cache could not be read or written; the request was asked of the server, or its response was not kept.
  public static let cacheUnavailable = DiagnosticCode(rawValue: "cache-unavailable")
}

extension DiagnosticCode {
  /// Every code that the engine gives, in the order of this page.
  public static let all: [DiagnosticCode] = [
    .undefinedServer,
    .undefinedPageManager,
    .missingPrimaryKey,
    .invalidEntity,
    .invalidResponseFormat,
    .emptyResultSet,
    .fetchError,
    .saveError,
    .httpStatus,
    .cancelled,
    .pageLoop,
    .pageLimit,
    .undefinedDetailURN,
    .unsavedRecord,
    .recordMismatch,
    .unknown,
    .invalidTweaks,
    .duplicateKey,
    .invalidItem,
    .nullElement,
    .noEntity,
    .valueType,
    .nullRequired,
    .inconsistentDuplicates,
    .inconsistentLinks,
    .inconsistentParents,
    .entityChanged,
    .entityMismatch,
    .manyForOne,
    .missingReference,
    .unmatchedChild,
    .deniedDeletion,
    .requiredOwner,
    .orphansNotEvaluated,
    .orphanLimit,
    .undescribedRequest,
    .uncacheableRequest,
    .staleResponse,
    .cacheRebuilt,
    .cacheUnavailable,
  ]

  /// How bad it is where no ``Debugger`` says otherwise. What is a failure here is one whatever a debugger says.
  public var severity: DiagnosticSeverity {
    switch self {
    case .undefinedServer, .undefinedPageManager, .invalidEntity, .invalidResponseFormat, .fetchError,
      .saveError,
      .httpStatus, .cancelled, .pageLoop, .pageLimit, .undefinedDetailURN, .unsavedRecord,
      .recordMismatch, .unknown, .invalidTweaks:
      .failure
    default: .warning
    }
  }

  /// The number of the code in MMRecordDebugger; nil for the codes it does not have.
  public var referenceNumber: Int? {
    switch self {
    case .undefinedServer: 1
    case .undefinedPageManager: 2
    case .missingPrimaryKey: 3
    case .invalidEntity: 4
    case .invalidResponseFormat: 6
    case .emptyResultSet: 7
    case .fetchError: 700
    case .saveError: 701
    case .unknown: 999
    default: nil
    }
  }
}

extension DiagnosticCode: CustomStringConvertible {
  public var description: String { rawValue }
}
