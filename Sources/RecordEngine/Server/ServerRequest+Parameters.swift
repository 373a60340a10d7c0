extension ServerRequest {
  /// A Boolean value that indicates whether the parameters are sent in the address and not in a body.
  package var sendsDataInAddress: Bool { ["GET", "HEAD", "DELETE", "OPTIONS"].contains(method) }

  /// Returns the value of a parameter in the data, or else in the address.
  package func parameter(_ name: String) -> String? {
    data[name] ?? WebAddress(urn).parameters.last { $0.name == name }?.value
  }

  /// Returns the request with a changed parameter. The value replaces those in the data and the address.
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

  /// The same request with all parameters in the address, sorted by name, so that requests that are written differently
  /// can be compared. A request that sends its parameters in a body is unchanged.
  package var normalized: ServerRequest {
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

  /// Returns the request for an address that a response to this request contains. The address contains all parameters.
  ///
  /// - Parameter address: the address that the response comes from.
  package func following(_ reference: String, from address: String) -> ServerRequest {
    var request = self
    request.urn = WebAddress(address).resolving(WebAddress(reference)).text
    if sendsDataInAddress { request.data = [:] }
    return request
  }
}
