import Foundation
import RecordEngine
import ScenarioComparison
package import ScenarioFormat

/// Steps that send no request to the scenario's server.
extension ScenarioExecution {
  func perform(_ response: SerializeStep, of step: Step, in snapshot: inout StepSnapshot) async throws {
    do {
      let serializer = try container.makeSerializer(response.entities)
      let answer = try await serializer.records(
        from: response.body.bytes, url: URL(string: response.url), options: options(response.options),
        context: context)
      label([try note(answer, response.options, in: &snapshot)], in: &snapshot)
    } catch {
      try note(error, step, in: &snapshot)
    }
  }

  /// Advances the clock, or sets it back. In-flight requests that are due before the new time are answered.
  func advance(_ time: Duration) async {
    if time < .zero { server.clock.setBack(by: .zero - time) } else { await server.held.advance(by: time) }
  }

  func perform(_ tweak: TweakStep) throws {
    guard let tweaks else { return }
    switch tweak {
    case .none: if FileAccess.exists(tweaks.path) { try FileBytes.remove(tweaks.path) }
    case .file(let text): try FileBytes.write(Array(text.utf8), to: tweaks.path)
    }
  }
}

extension CannedResponse.Body {
  /// The bytes that are served.
  package var bytes: [UInt8] {
    switch self {
    case .value(let value): Array(value.compactText().utf8)
    case .bytes(let bytes): bytes
    }
  }
}
