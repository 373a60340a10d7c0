/// The stable name of a kind of diagnostic, such as `missing-primary-key`.
public struct DiagnosticCode: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// Creates a code with a name.
  public init(rawValue: String) { self.rawValue = rawValue }
}

extension DiagnosticCode {
  // MARK: Codes of MMRecordDebugger and of requests

  /// 1: no server is registered for the entity. Fails the request.
  public static let undefinedServer = DiagnosticCode(rawValue: "undefined-server")
  /// 2: neither the options of a paged request nor its server define the paging. Fails the request.
  public static let undefinedPageManager = DiagnosticCode(rawValue: "undefined-page-manager")
  /// 3: nothing identifies the record of an item.
  public static let missingPrimaryKey = DiagnosticCode(rawValue: "missing-primary-key")
  /// 4: the model does not have the entity or property, or no entity is registered for the address. Fails the request.
  public static let invalidEntity = DiagnosticCode(rawValue: "invalid-entity")
  /// 6: the response is not JSON, or cannot become records. Fails the request.
  public static let invalidResponseFormat = DiagnosticCode(rawValue: "invalid-response-format")
  /// 7: the response contains no items.
  public static let emptyResultSet = DiagnosticCode(rawValue: "empty-result-set")
  /// 700: the store could not be read. Fails the request.
  public static let fetchError = DiagnosticCode(rawValue: "fetch-error")
  /// 701: the result could not be saved. Fails the request.
  public static let saveError = DiagnosticCode(rawValue: "save-error")
  /// The server responded with a status that has no records: 300 or more, or 206 (a part) to a request without `Range`.
  /// Fails the request. Rule: `request.failure`.
  public static let httpStatus = DiagnosticCode(rawValue: "http-status")
  /// The response states an error, whatever its status: it matches ``RequestOptions/failWhen``. Fails the request.
  /// Rule: `request.fail-when`.
  public static let statedError = DiagnosticCode(rawValue: "stated-error")
  /// The request was canceled, by its task or by its domain. Fails the request. Rule: `request.cancel`.
  public static let cancelled = DiagnosticCode(rawValue: "cancelled")
  /// The next page was visited before in the same run, or the last page contained nothing new. Fails the run.
  /// Rule: `request.page.loop`.
  public static let pageLoop = DiagnosticCode(rawValue: "page-loop")
  /// The next page exceeds the maximum number of pages in a run. Fails the run. Rule: `request.page.limit`.
  public static let pageLimit = DiagnosticCode(rawValue: "page-limit")
  /// The record has no address for its details, or is deleted. Fails the request. Rule: `request.detail`.
  public static let undefinedDetailURN = DiagnosticCode(rawValue: "undefined-detail-urn")
  /// The details to save belong to a record that is not saved itself. Fails the request. Rule: `request.detail`.
  public static let unsavedRecord = DiagnosticCode(rawValue: "unsaved-record")
  /// The response to a request for the details of a record contains another record. Fails the request.
  /// Rule: `request.detail`.
  public static let recordMismatch = DiagnosticCode(rawValue: "record-mismatch")
  /// 999: anything else. Fails the request.
  public static let unknown = DiagnosticCode(rawValue: "unknown")

  // MARK: Codes of responses, tweaks and the cache

  /// The tweak file cannot be read, or does not fit the model. Fails the request. Rule: `tweaks.file`.
  public static let invalidTweaks = DiagnosticCode(rawValue: "invalid-tweaks")
  /// An object of the response has the same key twice. The last one counts.
  public static let duplicateKey = DiagnosticCode(rawValue: "duplicate-key")
  /// An item that cannot become a record was left out. Rule: `response.invalid-item`.
  public static let invalidItem = DiagnosticCode(rawValue: "invalid-item")
  /// A null in an array of items was left out. Rule: `mapping.null-element`.
  public static let nullElement = DiagnosticCode(rawValue: "null-element")
  /// An item of an abstract entity was left out, because no sub-entity claims it. Rule: `subentity.abstract`.
  public static let noEntity = DiagnosticCode(rawValue: "no-entity")
  /// A value cannot be converted to the type of the property. Rules: `values.*`.
  public static let valueType = DiagnosticCode(rawValue: "value-type")
  /// A required attribute without a default kept its value, because the response has a null. Rule: `mapping.null`.
  public static let nullRequired = DiagnosticCode(rawValue: "null-required")
  /// Two full dictionaries of one record differ. Rule: `merge.inconsistent`.
  public static let inconsistentDuplicates = DiagnosticCode(rawValue: "inconsistent-duplicates")
  /// Two records claim one that can have a single owner. Rule: `relationships.conflict`.
  public static let inconsistentLinks = DiagnosticCode(rawValue: "inconsistent-links")
  /// An item names one parent and is nested in another. Rule: `identity.relationship-key`.
  public static let inconsistentParents = DiagnosticCode(rawValue: "inconsistent-parents")
  /// A stored record changed to the entity of its item. Rule: `identity.sub-entity`.
  public static let entityChanged = DiagnosticCode(rawValue: "entity-changed")
  /// A nested record was not linked, because the relationship cannot lead to its entity.
  /// Rule: `relationships.sub-entity`.
  public static let entityMismatch = DiagnosticCode(rawValue: "entity-mismatch")
  /// A to-one relationship has an array, and its first usable item was linked. Rule: `relationships.many-for-one`.
  public static let manyForOne = DiagnosticCode(rawValue: "many-for-one")
  /// A reference was left out, because its record is neither stored nor in the response. Rule: `relationships.weak`.
  public static let missingReference = DiagnosticCode(rawValue: "missing-reference")
  /// The parent has children, and none of them equals the item. Rule: `identity.relationship-key.to-many`.
  public static let unmatchedChild = DiagnosticCode(rawValue: "unmatched-child")
  /// A record was not deleted, because a delete rule denies it. Rules: `relationships.replace`, `orphans.decide`,
  /// `orphans.tombstone`.
  public static let deniedDeletion = DiagnosticCode(rawValue: "denied-deletion")
  /// A member that requires its owner was not unlinked, or its owner was not deleted. Rules: `relationships.replace`,
  /// `orphans.decide`, `orphans.tombstone`.
  public static let requiredOwner = DiagnosticCode(rawValue: "required-owner")
  /// No orphans were deleted, because it is unknown which records are orphans. A run of pages reports it once, with the
  /// first page for which it is known. A valid page that is not the last one does not report it.
  /// Rules: `orphans.pages`, `orphans.partial`, `orphans.empty`.
  public static let orphansNotEvaluated = DiagnosticCode(rawValue: "orphans-not-evaluated")
  /// There were more orphans than the limit allows, and none was deleted. Rule: `orphans.guard`.
  public static let orphanLimit = DiagnosticCode(rawValue: "orphan-limit")
  /// A response was not cached, because its server does not describe what it sends (``Server/description(of:)``).
  /// Rule: `cache.store`.
  public static let undescribedRequest = DiagnosticCode(rawValue: "undescribed-request")
  /// The options of a request turn caching on and contain hooks, so the request bypassed the cache. The result of a
  /// hook is unknown to other requests. Rule: `cache.isolation`.
  public static let uncacheableRequest = DiagnosticCode(rawValue: "uncacheable-request")
  /// The server failed, and a stale cached response was used. Rule: `cache.stale-if-error`.
  public static let staleResponse = DiagnosticCode(rawValue: "stale-response")
  /// The record cache was damaged, of another version, or removed or replaced while in use, and was created again,
  /// empty. Rule: `cache.damaged`.
  public static let cacheRebuilt = DiagnosticCode(rawValue: "cache-rebuilt")
  /// There is no record cache, or it could not be read or written. The server was asked, or its response was not
  /// cached.
  public static let cacheUnavailable = DiagnosticCode(rawValue: "cache-unavailable")
}

extension DiagnosticCode {
  /// All codes of the engine, in the order of their declarations.
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
    .statedError,
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

  /// The severity of the code unless a ``Debugger`` changes it. A debugger cannot lower `failure`.
  public var severity: DiagnosticSeverity {
    switch self {
    case .undefinedServer, .undefinedPageManager, .invalidEntity, .invalidResponseFormat, .fetchError,
      .saveError,
      .httpStatus, .statedError, .cancelled, .pageLoop, .pageLimit, .undefinedDetailURN, .unsavedRecord,
      .recordMismatch, .unknown, .invalidTweaks:
      .failure
    default: .warning
    }
  }

  /// The number of the code in MMRecordDebugger; nil if it has none.
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
