import Foundation
import RecordEngine
package import ScenarioComparison
package import ScenarioFormat

/// Steps that send no request to the scenario's server.
extension ScenarioExecution {
  func perform(_ response: SerializeStep, _ step: Step) async throws -> StepSnapshot {
    var snapshot = StepSnapshot(.serialize(url: response.url))
    do {
      let serializer = try container.makeSerializer(response.entities)
      let answer = try await serializer.records(
        from: response.body.bytes, url: URL(string: response.url), options: options(response.options),
        context: context)
      try note(answer, response.options, in: &snapshot)
    } catch {
      try note(error, step, in: &snapshot)
    }
    return snapshot
  }

  /// Advances the clock, or sets it back. In-flight requests that are due before the new time are answered.
  package func advance(_ time: Duration) async -> StepSnapshot {
    if time < .zero { server.clock.setBack(by: .zero - time) } else { await server.held.advance(by: time) }
    return StepSnapshot(.advance(time))
  }

  package func clearCache() throws -> StepSnapshot {
    try cache?.removeAll()
    return StepSnapshot(.clearCache)
  }

  func perform(_ tweak: TweakStep) throws -> StepSnapshot {
    guard let tweaks else { return StepSnapshot(.tweak(isNone: true)) }
    switch tweak {
    case .none:
      if FileAccess.exists(tweaks.path) { try FileBytes.remove(tweaks.path) }
      return StepSnapshot(.tweak(isNone: true))
    case .file(let text):
      try FileBytes.write(Array(text.utf8), to: tweaks.path)
      return StepSnapshot(.tweak(isNone: false))
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
