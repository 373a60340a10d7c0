import RecordEngine
import RecordModel
import ScenarioComparison
package import ScenarioFormat

/// The canned responses of a scenario, with the ones that have been served.
///
/// The parameters of a request form one set, which is compared as text. A canned address matches if the request has all
/// its parameters. The matching address with the most parameters answers, and a tie is an error. It serves its first
/// response whose required headers and body match and that has not been served or is repeated.
package struct CannedResponses: Sendable {
  private let addresses: [CannedAddress]
  /// The index of each address.
  private let exact: [RequestAddress: Int]
  /// The indices of the addresses with each path.
  private let positions: [String: [Int]]
  /// For each address, the index of its first response among all canned responses.
  private let firstIndices: [Int]
  /// A Boolean value that indicates whether an address serves its first response again after its last.
  private let startsOver: Bool
  /// For each response of each address, a Boolean value that indicates whether it has been served.
  private var served: [[Bool]]
  /// The same since the address started over.
  private var servedInTurn: [[Bool]]

  package init(_ addresses: [CannedAddress], startsOver: Bool = false) {
    self.addresses = addresses
    self.startsOver = startsOver
    exact = Dictionary(
      addresses.enumerated().map { ($1.address, $0) }, uniquingKeysWith: { first, _ in first })
    positions = Dictionary(grouping: addresses.indices) { addresses[$0].address.path }
    served = addresses.map { $0.responses.map { _ in false } }
    servedInTurn = served
    firstIndices = addresses.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.responses.count) }
  }

  /// The responses that have not been served and are not optional.
  package var unused: [CannedResponse] { unusedByAddress.flatMap(\.responses) }

  /// The addresses with responses that have not been served and are not optional.
  package var unusedByAddress: [(address: CannedAddress, responses: [CannedResponse])] {
    zip(addresses, served).compactMap { address, served in
      let unused = zip(address.responses, served).filter { !$0.isOptional && !$1 }.map(\.0)
      return unused.isEmpty ? nil : (address, unused)
    }
  }

  /// Chooses the response to a request and marks it as served.
  ///
  /// - Parameter former: the address that redirected to this request; nil if there is none.
  /// - Returns: the response, and its index among all canned responses.
  package mutating func next(
    for asked: RequestAddress, headers: [String: String], body: StatedBody?,
    redirectedFrom former: RequestAddress? = nil
  ) throws(UnansweredRequest) -> (response: CannedResponse, index: Int) {
    // No other matching address has as many parameters as an exact match.
    let matching =
      exact[asked].map { [$0] }
      ?? positions[asked.path, default: []].filter { addresses[$0].address.answers(asked) }
    let most = matching.map { addresses[$0].address.parameters.count }.max() ?? 0
    let best = matching.filter { addresses[$0].address.parameters.count == most }
    guard let index = best.first else {
      throw UnansweredRequest(
        message: "no response for '\(asked.text)'"
          + (former.map { ", to which '\($0.text)' redirects" } ?? ""),
        nearest: nearest(to: asked), advice: advice(for: asked))
    }
    guard best.count == 1 else {
      throw UnansweredRequest(
        message: "several addresses match '\(asked.text)' with the same number of parameters",
        nearest: best.map { addresses[$0].text })
    }
    let responses = addresses[index].responses
    let fitting = responses.indices.filter { responses[$0].isFor(headers, body) }
    let unserved = fitting.first { !servedInTurn[index][$0] || responses[$0].isRepeated }
    guard let next = unserved ?? (startsOver ? fitting.first : nil) else {
      var error = UnansweredRequest(fitting.count, of: addresses[index], asked: asked, body)
      if error.isUsedUp, let method = unusedMethod(for: asked) {
        error.advice = "did you mean 'method: \(method)'?"
      }
      throw error
    }
    if unserved == nil { for response in fitting { servedInTurn[index][response] = false } }
    servedInTurn[index][next] = true
    served[index][next] = true
    return (responses[next], firstIndices[index] + next)
  }

  /// Returns the method of an address with responses that have not been served, which differs only in its method.
  private func unusedMethod(for asked: RequestAddress) -> String? {
    positions[asked.path, default: []].first { index in
      served[index].contains(false) && addresses[index].address.isForAnotherMethod(asked)
    }.map { addresses[$0].address.method }
  }

  /// Returns advice for a `*` that is meant as any value, for a request that lacks a parameter, for a request with another
  /// method than that of its response, and for a request to another server.
  private func advice(for asked: RequestAddress) -> String? {
    let isMeant = { (address: CannedAddress) in
      address.address.path == asked.path && address.address.parameters.values.contains(["*"])
    }
    if let address = addresses.first(where: isMeant) {
      return
        "'*' is not a wildcard; omit the parameter in '\(address.text)', because a request may have more parameters"
    }
    let isPattern = { (address: CannedAddress) in
      let parts = address.address.path.split(separator: "*", omittingEmptySubsequences: false)
      guard let start = parts.first, let end = parts.last, parts.count > 1,
        address.address.method == asked.method
      else { return false }
      return asked.path + "/" == start
        || asked.path.utf8.count >= start.utf8.count + end.utf8.count && asked.path.hasPrefix(start)
          && asked.path.hasSuffix(end)
    }
    if let address = addresses.first(where: isPattern) {
      return "addresses have no wildcards: write '\(asked.text)' in place of '\(address.text)'"
    }
    let samePath = addresses.filter { $0.address.path == asked.path && $0.address.method == asked.method }
    if let address = samePath.first {
      var lacking = address.address
      lacking.parameters = lacking.parameters.filter { asked.parameters[$0.key] != $0.value }
      guard samePath.count == 1, !lacking.parameters.isEmpty else { return nil }
      return "'\(address.text)' answers only requests with \(lacking.text.drop { $0 != "?" }.dropFirst())"
    }
    let otherMethods = addresses.map(\.address).filter { $0.isForAnotherMethod(asked) }
    if let answering = otherMethods.max(by: { $0.parameters.count < $1.parameters.count }) {
      let meant = answering.with(method: asked.method)
      return
        "'\(answering.text)' answers \(answering.method); the key of a response to \(asked.method) is '\(meant.text)'"
    }
    guard asked.path.hasPrefix("https://") || asked.path.hasPrefix("http://") else { return nil }
    let parts = asked.path.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, let address = addresses.first(where: { $0.address.path == parts[3] }) else {
      return nil
    }
    let server = parts[..<3].joined(separator: "/")
    return "'\(address.text)' is relative to 'baseURL'; write 'baseURL: \(server)/', or 'urn: \(parts[3])'"
  }

  /// Returns at most three addresses: those with the same path, if possible with the same method. If there are none, those
  /// with a similar path, and if there are none of these either, the first ones.
  private func nearest(to asked: RequestAddress) -> [String] {
    let atPath = addresses.filter { $0.address.path == asked.path }
    let sameMethod = atPath.filter { $0.address.method == asked.method }
    let samePath = (sameMethod.isEmpty ? atPath : sameMethod).map(\.text)
    if !samePath.isEmpty { return Array(samePath.prefix(3)) }
    return nearestName(to: asked.path, among: addresses.map(\.address.path)).map { near in
      Array(addresses.filter { $0.address.path == near }.map(\.text).prefix(3))
    } ?? Array(addresses.map(\.text).prefix(3))
  }
}

/// An error for a request without a canned response, with the nearest addresses.
package struct UnansweredRequest: Error, Hashable {
  package var message: String
  package var advice: String
  /// A Boolean value that indicates whether all responses of the address have been served.
  package var isUsedUp = false
}

extension UnansweredRequest {
  /// Creates an error.
  ///
  /// - Parameters:
  ///   - nearest: the nearest addresses, as written.
  ///   - advice: the advice; nil to name the nearest addresses.
  package init(message: String, nearest: [String], advice: String? = nil) {
    let list = nearest.map { "'\($0)'" }.joined(separator: ", ")
    self.init(
      message: message,
      advice: advice
        ?? (list.isEmpty
          ? "add a response for it"
          : "the nearest \(nearest.count == 1 ? "address is" : "addresses are") \(list)"))
  }

  /// Creates an error for an address whose responses have all been served or require other headers or another body.
  ///
  /// - Parameter fitting: the number of its responses whose conditions the request meets.
  fileprivate init(_ fitting: Int, of address: CannedAddress, asked: RequestAddress, _ body: StatedBody?) {
    let hasBodies = address.responses.contains { $0.requiredBody != nil }
    if fitting == 0 {
      let wanted = address.responses.map { response in
        let headers = response.requiredHeaders.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let parts = (response.requiredBody.map { [$0.text] } ?? []) + headers
        return ValueText.clipped(parts.joined(separator: ", "))
      }
      let sent = hasBodies ? "; the request has \(body.map { ValueText.clipped($0.text) } ?? "no body")" : ""
      self.init(
        message:
          "the request for '\(asked.text)' lacks the \(hasBodies ? "body or the headers" : "headers") that the "
          + "responses of '\(address.text)' require",
        advice: "they require \(wanted.joined(separator: ", or "))\(sent)")
      return
    }
    let isConditional = address.responses.contains { !$0.isUnconditional }
    let some = !isConditional ? "" : hasBodies ? " for its body and headers" : " for its headers"
    let (all, have) =
      fitting == 1 ? ("the only response\(some)", "has") : ("all \(fitting) responses\(some)", "have")
    self.init(
      message:
        "\(all) of '\(address.text)' \(have) already been served, and '\(asked.text)' is requested again",
      advice: "add another response for it, or 'repeat: true' to "
        + (isConditional ? "one whose conditions it meets" : "the last one"))
    isUsedUp = true
  }
}

extension RequestAddress {
  fileprivate func with(method: String) -> RequestAddress {
    var address = self
    address.method = method
    return address
  }

  /// Returns a Boolean value that indicates whether the address matches a request except for its method.
  fileprivate func isForAnotherMethod(_ asked: RequestAddress) -> Bool {
    method != asked.method && with(method: asked.method).answers(asked)
  }
}

extension CannedResponse {
  fileprivate func isFor(_ headers: [String: String], _ body: StatedBody?) -> Bool {
    (requiredBody == nil || requiredBody == body)
      && requiredHeaders.allSatisfy { name, value in
        headers.header(name).map { haveSameScalars($0, value) } ?? false
      }
  }
}
