import JSONTree
import RecordModel

/// What becomes of diagnostics. Rules: `diagnostics.all`, `diagnostics.replace`.
extension Population {
  /// Fails the request if one of its diagnostics is a failure to the debugger, before anything is saved.
  mutating func judge() throws(RequestFailure) {
    guard let debugger = options.debugger, !diagnostics.isEmpty else { return }
    let (told, failing) = debugger.judge(diagnostics)
    diagnostics = told
    guard let failing else { return }
    throw described(RequestFailure(failing, among: told))
  }

  /// A failure as the debugger sees it.
  func judged(_ failure: RequestFailure) -> RequestFailure {
    guard let debugger = options.debugger else { return described(failure) }
    let (told, failing) = debugger.judge(failure.diagnostics)
    return described(RequestFailure(failing ?? failure.primary, among: told))
  }

  /// A failure with the dictionary that it is about.
  func described(_ failure: RequestFailure) -> RequestFailure {
    var failure = failure
    failure.recordDictionary = failure.primary.pointer.flatMap(dictionary)
    return failure
  }

  /// The innermost item that a place is in.
  private func dictionary(at pointer: JSONPointer) -> JSONNode? {
    guard let range = document.root.value(at: pointer)?.byteRange else { return nil }
    var innermost: JSONNode?
    for proto in protos {
      for appearance in [proto.effective] + proto.others {
        let node = appearance.item.node
        guard node.document === document, appearance.item.isDictionary,
          node.byteRange.lowerBound <= range.lowerBound, range.upperBound <= node.byteRange.upperBound
        else { continue }
        if innermost.map({ node.byteRange.count < $0.byteRange.count }) ?? true { innermost = node }
      }
    }
    return innermost
  }
}

extension RequestFailure {
  /// A failure for one of the diagnostics that were met.
  fileprivate init(_ primary: Diagnostic, among diagnostics: [Diagnostic]) {
    self.init([primary])
    self.diagnostics = diagnostics
  }
}
