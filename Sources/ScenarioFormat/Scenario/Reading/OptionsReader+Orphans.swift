import JSONTree
import RecordModel

extension OptionsReader {
  /// Reads `delete`, `keep`, or a mapping that limits the deletion.
  ///
  /// - Parameter entity: the entity that the predicates apply to; nil if it is unknown.
  func orphans(_ pair: YAMLPair?, over entity: EntityName?) -> OrphanOptions? {
    guard let pair else { return nil }
    if pair.value.pairs == nil { return word(pair).map { OrphanOptions(areDeleted: $0 == .delete) } }
    guard let reader = MappingReader(pair, as: .orphans, findings: findings) else { return nil }
    if pair.value.pairs?.isEmpty ?? true {
      findings.report(
        .emptyValue, at: pair.value.span, "'orphans' must not be empty", advice: "write 'orphans: delete'")
    }
    return OrphanOptions(
      areDeleted: true, scope: scope(reader["scope"], over: entity),
      keep: records.predicate(reader["keep"], over: entity), limit: limit(reader["limit"]),
      stopAfter: findings.integer(reader["stopAfter"], in: 1...Int.max))
  }

  private enum Word: String, CaseIterable { case delete, keep }

  private func word(_ pair: YAMLPair) -> Word? {
    guard case .string = pair.value.scalar?.value else {
      var advice: String?
      if case .boolean(let areDeleted)? = pair.value.scalar?.value {
        advice = "write '\((areDeleted ? Word.delete : Word.keep).rawValue)'"
      }
      findings.wrongKind(
        pair.value, expected: "'delete', 'keep' or a mapping", for: "'\(pair.key)'", advice: advice)
      return nil
    }
    return findings.choice(pair, Word.self)
  }

  /// Reads a predicate, or a predicate with values from the response: `{where: "day >= %@", values: [from]}`.
  private func scope(_ pair: YAMLPair?, over entity: EntityName?) -> OrphanOptions.Scope? {
    guard let pair else { return nil }
    if pair.value.pairs == nil { return records.predicate(pair, over: entity).map { .predicate($0) } }
    guard let reader = MappingReader(pair, as: .responseScope, findings: findings),
      let condition = reader.required("where"),
      let values = reader.required("values", advice: "write the response key paths of the values for '%@'"),
      let text = findings.string(condition), let elements = findings.list(values)
    else { return nil }
    let paths = elements.compactMap { findings.path($0, for: "an element of 'values'") }
    guard paths.count == elements.count else { return nil }
    // An empty text in quotes is as long as the `%@` that it replaces, so the locations of syntax errors stay correct.
    let blanks = paths.map { _ in PredicateArgument.value(.string("")) }
    do throws(PredicateSyntaxError) {
      let predicate = try RecordPredicate(text, arguments: blanks)
      records.check(predicate, over: entity, in: condition.value)
    } catch {
      findings.report(
        .predicateSyntax, at: condition.value.span(ofScalars: error.range), error.message,
        advice: error.advice)
      return nil
    }
    return .response(text, values: paths)
  }

  /// Reads a number of records, or a share of the stored records in the scope: `5` or `20%`.
  private func limit(_ pair: YAMLPair?) -> OrphanOptions.Limit? {
    guard let pair else { return nil }
    if case .number(_, isInteger: true) = pair.value.scalar?.value {
      return findings.count(pair).map { .count($0) }
    }
    guard case .string(let text) = pair.value.scalar?.value, text.hasSuffix("%"),
      let percent = JSONNumber(digits: String(text.dropLast()))?.doubleValue
    else {
      findings.wrongKind(pair.value, expected: "a number or a percentage like '20%'", for: "'\(pair.key)'")
      return nil
    }
    guard (0...100).contains(percent) else {
      findings.report(
        .outOfRange, at: pair.value.span, "expected 0% to 100% for '\(pair.key)', found \(text)")
      return nil
    }
    return .percent(percent)
  }
}

extension OrphanOptions {
  package init(areDeleted: Bool) {
    self.init(areDeleted: areDeleted, scope: nil, keep: nil, limit: nil, stopAfter: nil)
  }
}
