import JSONTree
import RecordModel

/// Steps about the conversion of responses to records: `tweak` and `serialize`.
extension StepReader {
  /// Reads the contents of the tweak file: a mapping, `none` for no file, or a text, which may be invalid.
  func tweak(_ pair: YAMLPair, _ reader: MappingReader) -> Step? {
    step(tweak(pair).map(Step.Action.tweak), reader, at: pair.keySpan)
  }

  private func tweak(_ pair: YAMLPair) -> TweakStep? {
    if pair.value.pairs == nil {
      guard let text = findings.string(pair.value, for: "'tweak'") else { return nil }
      return text == "none" ? TweakStep.none : .file(text)
    }
    guard let value = findings.json(pair.value) else { return nil }
    if let model {
      do {
        _ = try model.schema(with: ModelTweaks(JSONDocument(value), of: model))
      } catch {
        for problem in error.problems {
          findings.report(.tweak, at: span(of: problem, in: pair), problem.message, advice: problem.advice)
        }
      }
    }
    return .file(value.canonicalText())
  }

  private func span(of problem: TweakProblem, in pair: YAMLPair) -> SourceSpan {
    var (node, span) = (pair.value, pair.keySpan)
    for token in problem.pointer.tokens {
      if let pair = node.pairs?.last(where: { $0.key == token }) {
        span = problem.isAboutKey || pair.value.scalar == nil ? pair.keySpan : pair.value.span
        node = pair.value
      } else if let elements = node.elements, let index = Int(token), elements.indices.contains(index) {
        span = elements[index].span
        node = elements[index]
      } else {
        break
      }
    }
    return span
  }

  /// Reads a response that the scenario's server did not serve, and the URL fragments that determine the entity of its
  /// records.
  func serialize(_ pair: YAMLPair, _ reader: MappingReader) -> Step? {
    let entities = (findings.mapping(pair) ?? []).compactMap {
      pair -> (fragment: String, entity: EntityName)? in
      records.entity(pair).map { (pair.key, $0) }
    }
    let url = findings.string(reader.required("url", advice: "write the URL of the response"))
    let body = body(reader)
    let options = options.options(reader["options"], over: defaults)
    var action: Step.Action?
    if let url, let body {
      action = .serialize(
        SerializeStep(
          url: url, entities: entities, body: body.body, bodySource: body.source, options: options))
    }
    return step(action, reader, result: .anyResponse, at: pair.keySpan)
  }

  private func body(
    _ reader: MappingReader
  ) -> (body: CannedResponse.Body, source: BodySource)? {
    let keys = ["body", "bodyText"]
    guard let body = reader.atMostOne(of: keys) else {
      reader.reportMissing(keys, advice: "write bodyText: \"\" for an empty body")
      return nil
    }
    return findings.body(body)
  }
}

extension Findings {
  /// Reads `body:` or `bodyText:`.
  package func body(_ pair: YAMLPair) -> (body: CannedResponse.Body, source: BodySource)? {
    if pair.key == "bodyText" {
      return string(pair.value, for: "'bodyText'").map { (.bytes(Array($0.utf8)), .text(pair.value)) }
    }
    return json(pair.value).map { (.value($0), .value(pair.value)) }
  }
}
