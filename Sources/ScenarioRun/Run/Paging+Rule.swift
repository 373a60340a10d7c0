import RecordEngine
import RecordModel
import ScenarioFormat

extension Paging {
  /// Creates the engine's paging from the rule in a scenario.
  init(_ rule: PagingRule) {
    switch rule {
    case .none: self.init { _ in PageManager() }
    case .address(let next, let previous, let total):
      self = .address(at: next, previous: previous, total: total)
    case .linkHeader(let totalHeader): self = .linkHeader(totalHeader: totalHeader)
    case .cursor(let path, let parameter, let hasMore, let total):
      self = .cursor(at: path, parameter: parameter ?? "cursor", hasMore: hasMore, total: total)
    case .offset(let parameter, let sizeParameter, let pageSize, let total):
      self = .offset(
        parameter: parameter ?? "offset", sizeParameter: sizeParameter ?? "limit", pageSize: pageSize,
        total: total)
    case .pageNumber(let parameter, let firstPage, let sizeParameter, let pageSize, let pageCount, let total):
      self = .pageNumber(
        parameter: parameter ?? "page", firstPage: firstPage ?? 1,
        sizeParameter: sizeParameter ?? "per_page", pageSize: pageSize, pageCount: pageCount, total: total)
    }
  }
}
