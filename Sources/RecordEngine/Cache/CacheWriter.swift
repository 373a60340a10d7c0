import JSONTree
import RecordModel

/// Stores a response in the cache after its records have been saved. Rules: `cache.store`, `cache.metadata`.
final class CacheWriter: ResponseWriter {
  private let response: CachedResponse
  private let request: CachedRequest
  /// The leader of the coalesced requests. The other requests continue when it is released.
  private let lead: CoalescingLeader

  init(_ response: CachedResponse, _ request: CachedRequest, _ lead: CoalescingLeader) {
    (self.response, self.request, self.lead) = (response, request, lead)
  }

  func keep(
    _ records: StoredRecords, body: ResponseBody, noticed: [Diagnostic]
  ) -> (entry: CacheEntryID?, diagnostics: [Diagnostic]) {
    guard !lead.isOutdated else { return (nil, []) }
    let kept = request.request.keptPart.flatMap { Self.bytes(of: $0, in: body) } ?? body.bytes
    let entry = request.cache.keep(
      CacheEntry(
        response: response, records: records.ids, saves: records.saves,
        noticed: CachedDiagnostics(noticed.filter { !Self.requestCodes.contains($0.code) }),
        body: kept),
      for: request.key,
      generation: request.coordinator.store.generation, since: request.removals,
      replacing: { $0.fits(request.described) })
    // The address may have become outdated while the response was being stored.
    if lead.isOutdated { request.cache.remove(url: request.key.url.string) } else { lead.hasStored() }
    return (entry, request.cache.takeDiagnostics())
  }

  /// The codes of the diagnostics that depend on the request and not on the response.
  private static let requestCodes: Set<DiagnosticCode> = [.orphansNotEvaluated, .orphanLimit]

  /// Returns an object that contains only the part of the body at a path, or no bytes if the body has no such part.
  /// Returns nil if the part was combined from several values, because then only the whole body results in the same
  /// part.
  private static func bytes(of path: MappingPath, in body: ResponseBody) -> [UInt8]? {
    guard let found = body.metaData(at: path) else { return [] }
    guard case .node(let part) = found else { return nil }
    var bytes: [UInt8] = []
    var depth = 0
    for case .key(let key) in path.components {
      bytes += Array("{\(JSONValue.string(key).compactText()):".utf8)
      depth += 1
    }
    return bytes + body.bytes[part.byteRange] + Array(repeating: UInt8(ascii: "}"), count: depth)
  }
}
