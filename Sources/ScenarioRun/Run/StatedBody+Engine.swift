import Foundation
package import RecordEngine
package import ScenarioFormat

extension RequestBody {
  /// Creates the body of a request from that of a step.
  init(_ body: StatedBody) {
    self =
      switch body {
      case .json(let value): .json(value)
      case .form(let fields): .form(fields)
      case .data(let bytes): .data(Data(bytes), contentType: "application/octet-stream")
      }
  }
}

extension StatedBody {
  /// Creates a body from that of a request.
  package init(_ body: RequestBody) {
    switch body {
    case .json(let value): self = .json(value)
    case .form(let fields): self = .form(fields)
    case .data(let data, _): self = .data(Array(data))
    }
  }
}
