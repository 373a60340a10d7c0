import JSONTree
import RecordModel

/// Stores a response once it is saved. Rules: `cache.store`, `cache.metadata`.
final class CacheWriter: ResponseWriter {
  private let response: CachedResponse
  private let request: CachedRequest
  /// Those who wait for the response are let go when this one is.
  private let lead: CoalescingLeader

  init(_ response: CachedResponse, _ request: CachedRequest, _ lead: CoalescingLeader) {
    (self.response, self.request, self.lead) = (response, request, lead)
  }

  func keep(_ records: StoredRecords, body: ResponseBody, noticed: [Diagnostic]) -> [Diagnostic] {
    guard !lead.isOutdated else { return [] }
    let kept = request.request.keptPart.flatMap { Self.bytes(of: $0, in: body) } ?? body.bytes
    request.cache.keep(
      CacheEntry(
        response: response, records: records.ids, saves: records.saves,
        noticed: CachedDiagnostics(noticed.filter { !Self.ofRequests.contains($0.code) }),
        body: kept),
      for: request.key,
      generation: request.coordinator.store.generation, since: request.removals,
      replacing: { $0.fits(request.described) })
    // It may have been changed in this moment.
    if lead.isOutdated { request.cache.remove(url: request.key.url.string) } else { lead.hasStored() }
    return request.cache.takeDiagnostics()
  }

  /// What is noticed because of what a request wants, and not of what came.
  private static let ofRequests: Set<DiagnosticCode> = [.orphansNotEvaluated, .orphanLimit]

  /// An object that has nothing but a part of the body, where that has it; empty if there is no such part. Nil if it was
  /// put together from several: no other body leads to the same.
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
