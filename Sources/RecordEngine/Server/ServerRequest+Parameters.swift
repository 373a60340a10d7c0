import Foundation
import JSONTree
import RecordModel

extension ServerRequest {
  /// Returns the value of a parameter in the query, or else in the address, or else in the body.
  func parameter(_ name: String) -> String? {
    query[name] ?? WebAddress(urn).parameters.last { $0.name == name }?.value ?? body?.parameter(name)
  }

  /// Returns the request with a changed parameter. The value replaces the present one in the query, the address, or the
  /// body. A new parameter is added to the body if it is a form or a JSON object, and to the query otherwise. There, each member
  /// of an object becomes a parameter of its own.
  /// Rule: `request.page.body`.
  func setting(_ name: String, to value: ParameterValue) -> ServerRequest {
    var request = self
    if case .json(.object(let members)) = value, body?.setting(name, to: value) == nil {
      for (name, member) in members {
        if let value = ParameterValue(member: member) { request = request.setting(name, to: value) }
      }
      return request
    }
    var address = WebAddress(urn)
    let isInAddress = address.parameters.contains { $0.name == name }
    if isInAddress {
      address.parameters.removeAll { $0.name == name }
      request.urn = address.text
    }
    if !isInAddress, query[name] == nil, let body = body?.setting(name, to: value) {
      request.body = body
    } else {
      request.query[name] = value.text
    }
    return request
  }

  /// The same request with all parameters of the query in the address, sorted by name, so that requests that are written
  /// differently can be compared. The body is unchanged.
  package var normalized: ServerRequest {
    var request = self
    var address = WebAddress(urn)
    let parameters =
      address.parameters.filter { query[$0.name] == nil }
      + query.map { WebAddress.Parameter(name: $0.key, value: $0.value) }
    let inOrder = parameters.enumerated().sorted {
      ($0.element.name, $0.offset) < ($1.element.name, $1.offset)
    }
    address.parameters = inOrder.map { WebAddress.Parameter(name: $0.element.name, value: $0.element.value) }
    request.urn = address.text
    request.query = [:]
    return request
  }

  /// The method, the segments of the path and the parameters, for paths that begin with `@request`. Rule: `mapping.around`.
  var context: JSONValue {
    let address = WebAddress(normalized.urn)
    let segments = address.path.split(separator: "/").map { segment in
      JSONValue.string(segment.removingPercentEncoding ?? String(segment))
    }
    var query = JSONObject()
    for parameter in address.parameters where query[parameter.name] == nil {
      query[parameter.name] = .string(parameter.value)
    }
    return ["method": .string(method), "path": .array(segments), "query": .object(query)]
  }

  /// Returns the request for an address that a response to this request contains. The address contains all parameters of
  /// the query. The body is unchanged.
  ///
  /// - Parameter address: the address that the response comes from.
  func following(_ reference: String, from address: String) -> ServerRequest {
    var request = self
    request.urn = WebAddress(address).resolving(WebAddress(reference)).text
    request.query = [:]
    return request
  }
}
