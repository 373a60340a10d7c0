import JSONTree
import RecordModel
package import ScenarioFormat

// Requests to servers
extension ExpectationCheck {
  package mutating func check(_ list: ListExpectation<RequestExpectation>, _ requests: [RequestSnapshot]) {
    if let count = list.count, count != requests.count {
      append(
        .count, list.span, "requests", expected: "\(count)",
        actual: ValueText.clipped("\(requests.count): \(text(of: requests))"))
    }
    if let exactly = list.exactly {
      let isInOrder =
        exactly.count == requests.count && zip(exactly, requests).allSatisfy { $0.matches($1) }
      if !isInOrder, !report(exactly, requests, isExhaustive: true, span: list.span) {
        let (expected, actual) = ValueText.clipped(
          "[" + exactly.map(\.text).joined(separator: ", ") + "]", text(of: requests))
        append(
          .order, list.span, "requests", expected: expected, actual: actual,
          note: "the requests are the same, in a different order")
      }
    }
    if let anyOrder = list.anyOrder { report(anyOrder, requests, isExhaustive: true, span: list.span) }
    if let contains = list.contains { report(contains, requests, isExhaustive: false, span: list.span) }
  }

  /// Reports lines that no request matches and, if the list is exhaustive, requests that no line matches. Returns a
  /// Boolean value that indicates whether it reported any.
  @discardableResult
  private mutating func report(
    _ lines: [RequestExpectation], _ requests: [RequestSnapshot], isExhaustive: Bool, span: SourceSpan
  ) -> Bool {
    let assignment = maximumMatching(
      lines.map { line in requests.indices.filter { line.matches(requests[$0]) } })
    let taken = Set(assignment.compactMap(\.self))
    let rest = requests.indices.filter { !taken.contains($0) }.map { requests[$0] }
    for (line, position) in zip(lines, assignment) where position == nil {
      append(
        .missing, line.span, "requests", expected: line.text, actual: ValueText.clipped(text(of: requests)))
    }
    guard isExhaustive else { return taken.count < lines.count }
    for request in rest {
      append(
        .extra, span, "requests", expected: "no other request",
        actual: ValueText.ofRequest(request.goldenForm))
    }
    return taken.count < lines.count || !rest.isEmpty
  }

  private func text(of requests: [RequestSnapshot]) -> String {
    "[" + requests.map { ValueText.ofRequest($0.goldenForm) }.joined(separator: ", ") + "]"
  }
}

extension RequestExpectation {
  fileprivate func matches(_ request: RequestSnapshot) -> Bool {
    address == request.address && body == request.body
      && headers.allSatisfy { name, value in
        (request.headers.isEmpty ? request.clientHeaders : request.headers).first {
          areOneHeader($0.key, name)
        }.map { ScalarString($0.value) }
          == value.map { ScalarString($0) }
      }
  }

  fileprivate var text: String {
    let headers = headers.sorted { $0.key < $1.key }.map { name, value in
      value.map { "\(name): \($0)" } ?? "no \(name)"
    }
    return ValueText.ofRequest(address.text, body?.text, headers)
  }
}
