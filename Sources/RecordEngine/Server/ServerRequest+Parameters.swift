extension ServerRequest {
  /// Whether the parameters are part of the address, rather than a body.
  package var sendsDataInAddress: Bool { ["GET", "HEAD", "DELETE", "OPTIONS"].contains(method) }

  /// The value of a parameter, of the data or else of the address.
  package func parameter(_ name: String) -> String? {
    data[name] ?? WebAddress(urn).parameters.last { $0.name == name }?.value
  }

  /// The request with one parameter changed, wherever it was said before.
  package func setting(_ name: String, to value: String) -> ServerRequest {
    var request = self
    var address = WebAddress(urn)
    if address.parameters.contains(where: { $0.name == name }) {
      address.parameters.removeAll { $0.name == name }
      request.urn = address.text
    }
    request.data[name] = value
    return request
  }

  /// The same request with its parameters as one set, in one place and order: so two can be compared that are written
  /// in different ways.
  package var normalised: ServerRequest {
    guard sendsDataInAddress else { return self }
    var request = self
    var address = WebAddress(urn)
    let parameters =
      address.parameters.filter { data[$0.name] == nil }
      + data.map { WebAddress.Parameter(name: $0.key, value: $0.value) }
    let inOrder = parameters.enumerated().sorted {
      ($0.element.name, $0.offset) < ($1.element.name, $1.offset)
    }
    address.parameters = inOrder.map { WebAddress.Parameter(name: $0.element.name, value: $0.element.value) }
    request.urn = address.text
    request.data = [:]
    return request
  }

  /// The request for an address that an answer to this one has named, which came from `address`. Such an address says all of
  /// its parameters.
  package func following(_ reference: String, from address: String) -> ServerRequest {
    var request = self
    request.urn = WebAddress(address).resolving(WebAddress(reference)).text
    if sendsDataInAddress { request.data = [:] }
    return request
  }
}
