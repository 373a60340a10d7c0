import JSONTree
import RecordModel
package import ScenarioFormat

// Results and changes of a step
extension ExpectationCheck {
  mutating func checkStep(_ expectation: Expectation) {
    if let list = expectation.records { check(list, "records", step?.records ?? [], isOrdered: true) }
    if let list = expectation.stored { check(list, "stored", step?.stored ?? [], isOrdered: true) }
    if let list = expectation.unchanged { check(list, "unchanged", step?.unchanged ?? [], isOrdered: false) }
    if let page = expectation.page { check(page, step?.page ?? PageSnapshot(hasMore: false)) }
    if let served = expectation.served { check(served, step?.served ?? []) }
    check(expectation.customResponse, "customResponse", step?.customResponse)
    check(expectation.metaData, "metaData", step?.metaData)
    if let list = expectation.inserted { check(list, "inserted", step?.inserted ?? [], isOrdered: false) }
    if let list = expectation.deleted { check(list, "deleted", step?.deleted ?? [], isOrdered: false) }
    if let updates = expectation.updated { check(updates.value, span: updates.span) }
    if let diagnostics = expectation.diagnostics { check(diagnostics.value, span: diagnostics.span) }
    if let drift = expectation.drift { check(drift, step?.drift) }
    if let failure = expectation.failure { check(failure) }
    if let requests = expectation.requests { check(requests, step?.requests ?? []) }
  }

  private mutating func check(_ expected: ServedExpectation, _ actual: [ServedFrom]) {
    let words: [ServedFrom]
    switch expected.answers {
    case .all(let word):
      if !actual.isEmpty, actual.allSatisfy({ $0 == word }) { return }
      words = [word]
    case .exactly(let list):
      if list == actual { return }
      words = list
    }
    func text(_ words: [ServedFrom]) -> String {
      words.isEmpty ? ValueText.nothing : words.map(\.rawValue).joined(separator: ", ")
    }
    append(.changed, expected.span, "served", expected: text(words), actual: text(actual))
  }

  private mutating func check(_ expected: Located<JSONValue>?, _ name: String, _ actual: JSONValue?) {
    guard let expected, expected.value != actual ?? .null else { return }
    append(
      .changed, expected.span, name, expected: ValueText.clipped(expected.value.compactText()),
      actual: actual.map { ValueText.clipped($0.compactText()) } ?? ValueText.nothing)
  }

  private mutating func check(
    _ list: ListExpectation<MemberExpectation>, _ name: String, _ labels: [RecordLabel], isOrdered: Bool
  ) {
    if let count = list.count, count != labels.count {
      append(
        .count, list.span, name, expected: counted(count, "record"),
        actual: ValueText.clipped("\(labels.count): \(ValueText.of(labels))"))
    }
    if let members = list.exactly, !matcher.holds(members, exactly: labels, isOrdered: isOrdered) {
      if isOrdered, matcher.holds(members, exactly: labels, isOrdered: false) {
        let (expected, actual) = ValueText.clipped(
          ValueText.of(members, model: model), ValueText.of(labels))
        append(
          .order, list.span, name, expected: expected, actual: actual,
          note: "the records are the same, in a different order")
      } else {
        reportMembers(members, name, labels, isExhaustive: true, span: list.span)
      }
    }
    if let members = list.anyOrder {
      reportMembers(members, name, labels, isExhaustive: true, span: list.span)
    }
    if let members = list.contains {
      reportMembers(members, name, labels, isExhaustive: false, span: list.span)
    }
  }

  /// Reports members without a record and, if the list is exhaustive, records without a member.
  private mutating func reportMembers(
    _ members: [MemberExpectation], _ name: String, _ labels: [RecordLabel], isExhaustive: Bool,
    span: SourceSpan
  ) {
    let assignment = matcher.assignment(of: members, to: labels)
    for (member, position) in zip(members, assignment) where position == nil {
      var note: String?
      var kind = Difference.Kind.missing
      var lost: [RecordLabel] = []
      switch member {
      case .label(let label) where matcher.record(label.value) == nil:
        // A record that should have been inserted cannot be known before.
        kind = name == "inserted" ? .missing : .dangling
        note = matcher.note(onUnknown: [label.value])
        lost = [label.value]
      case .label(let label): lost = matcher.graph[label.value] == nil ? [label.value] : []
      case .match(let match): lost = self.lost(match)
      }
      append(
        kind, member.span, name, expected: ValueText.of(member, model: model),
        actual: ValueText.clipped(ValueText.of(labels)), note: note, lost: lost)
    }
    guard isExhaustive else { return }
    let taken = Set(assignment.compactMap(\.self))
    let known = Set(taken.map { labels[$0] })
    for (position, label) in labels.enumerated() where !taken.contains(position) {
      append(
        .extra, span, record: label, name, expected: "no other record", actual: label.rawValue,
        note: known.contains(label) ? "the record occurs more often than expected" : nil)
    }
  }

  /// Compares the updated records, which must all be named. Compares their properties only where the author names some.
  private mutating func check(_ updates: [UpdateExpectation], span: SourceSpan) {
    let found = step?.updated ?? [:]
    for update in updates {
      let label = update.record.value
      guard let names = found[label] else {
        append(
          matcher.record(label) == nil ? .dangling : .missing, update.record.span, record: label, "updated",
          expected: "updated", actual: step?.inserted.contains(label) ?? false ? "inserted" : "not updated",
          note: matcher.record(label) == nil ? matcher.note(onUnknown: [label]) : nil, lost: [label])
        continue
      }
      if let expected = update.properties, Set(expected) != Set(names) {
        append(
          .changed, update.record.span, record: label, "updated", expected: Self.text(of: expected),
          actual: Self.text(of: names))
      }
    }
    for update in updates {
      // Records and properties that are not updated at all have been reported above.
      guard let names = found[update.record.value] else { continue }
      for (name, expected) in update.values.sorted(by: { $0.key < $1.key })
      where names.contains(name) || update.properties?.contains(name) != true {
        check(expected, name, step?.changes[update.record.value]?[name], of: update.record.value)
      }
    }
    let named = Set(updates.map(\.record.value))
    for (label, names) in found.sorted(by: { $0.key < $1.key }) where !named.contains(label) {
      append(
        .extra, span, record: label, "updated", expected: "not updated", actual: Self.text(of: names))
    }
  }

  private mutating func check(
    _ expected: ChangeExpectation, _ name: PropertyName, _ actual: [String: JSONValue]?,
    of label: RecordLabel
  ) {
    guard let actual else {
      let members = expected.members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.compactText())" }
      append(
        .changed, expected.span, record: label, "updated.\(name)",
        expected: ValueText.clipped("{\(members.joined(separator: ", "))}"), actual: "not updated")
      return
    }
    let isOrdered = model.relationship(name, of: label.entity)?.isOrdered ?? true
    func comparable(_ value: JSONValue?) -> JSONValue? {
      guard !isOrdered, case .array(let members)? = value else { return value }
      return .array(members.sorted { $0.compactText() < $1.compactText() })
    }
    for (key, value) in expected.members.sorted(by: { $0.key < $1.key })
    where comparable(actual[key]) != comparable(value) {
      append(
        .changed, expected.span, record: label, "updated.\(name).\(key)",
        expected: ValueText.clipped(value.compactText()),
        actual: comparable(actual[key]).map { ValueText.clipped($0.compactText()) } ?? ValueText.nothing)
    }
  }

  private mutating func check(_ expected: PageExpectation, _ page: PageSnapshot) {
    func compare<Value: Equatable>(_ name: String, _ expected: Located<Value>?, _ actual: Value?) {
      guard let expected, expected.value != actual else { return }
      append(
        .changed, expected.span, name, expected: "\(expected.value)",
        actual: actual.map { "\($0)" } ?? ValueText.nothing)
    }
    compare("more", expected.hasMore, page.hasMore)
    compare("total", expected.total, page.total)
    compare("perPage", expected.perPage, page.perPage)
    compare("pageIndex", expected.index, page.index)
  }

  private static func text(of names: [PropertyName]) -> String {
    "[" + names.sorted().map(\.rawValue).joined(separator: ", ") + "]"
  }

  private mutating func check(_ expected: [DiagnosticExpectation], span: SourceSpan) {
    let found = step?.diagnostics ?? []
    let assignment = maximumMatching(
      expected.map { diagnostic in found.indices.filter { diagnostic.matches(found[$0]) } })
    let taken = Set(assignment.compactMap(\.self))
    let rest = found.indices.filter { !taken.contains($0) }.map { found[$0] }
    let restTexts = rest.map(ValueText.of)
    for (diagnostic, position) in zip(expected, assignment) where position == nil {
      append(
        .missing, diagnostic.span, "diagnostics", expected: diagnostic.text,
        actual: restTexts.count > 1 ? nil : restTexts.first ?? ValueText.nothing,
        extra: restTexts.count > 1 ? restTexts : [])
    }
    guard rest.count + taken.count > expected.count else { return }
    for text in ValueText.lines(of: rest) {
      append(.extra, span, "diagnostics", expected: "no other diagnostic", actual: text)
    }
  }

  private mutating func check(_ expected: FailureExpectation) {
    guard let failure = step?.failure else {
      append(.missing, expected.span, "failure", expected: expected.text, actual: "success")
      return
    }
    let actual = "failure \(failure.code)" + (failure.status.map { " with status \($0)" } ?? "")
    if let code = expected.code, !isCode(code, failure.code, failure.number) {
      append(
        .changed, expected.span, "failure", expected: "failure \(code)", actual: "failure \(failure.code)",
        note: failure.message, also: failure.others.map(ValueText.of))
      return
    }
    if let status = expected.status, status.value != failure.status {
      append(
        .changed, status.span, "failure.status", expected: "status \(status.value)",
        actual: failure.status.map { "status \($0)" } ?? actual, note: failure.message)
    }
    guard let message = expected.message else { return }
    let texts = texts(of: failure)
    if !texts.contains(where: { $0.contains(message.value) }) {
      append(
        .changed, message.span, "failure.message",
        expected: ValueText.clipped("a text with \(JSONValue.string(message.value).compactText())"),
        actual: texts.isEmpty
          ? actual : ValueText.clipped(JSONValue.array(texts.map { .string($0) }).compactText()))
    }
  }

  /// Returns the message of a failure, and the texts in the body of the response that failed the request.
  private func texts(of failure: FailureSnapshot) -> [String] {
    var texts = [failure.message].compactMap(\.self)
    guard let body = failure.response.flatMap({ scenario?.response(at: $0)?.body }) else { return texts }
    switch body {
    case .value(let value): value.addTexts(to: &texts)
    case .bytes(let bytes):
      if let document = try? JSONDocument(parsing: bytes) {
        document.root.value.addTexts(to: &texts)
      } else if !bytes.isEmpty {
        texts.append(String(decoding: bytes, as: UTF8.self))
      }
    }
    return texts
  }
}

extension FailureExpectation {
  /// The failure in words: `failure http-status with status 404 and "no shelf"`.
  fileprivate var text: String {
    let parts = [
      status.map { "status \($0.value)" }, message.map { JSONValue.string($0.value).compactText() },
    ].compactMap(\.self)
    return ValueText.clipped(
      (code.map { "failure \($0)" } ?? "a failure")
        + (parts.isEmpty ? "" : " with " + parts.joined(separator: " and ")))
  }
}

extension JSONValue {
  /// Adds all texts in the value, in their order.
  fileprivate func addTexts(to texts: inout [String]) {
    switch self {
    case .string(let text): texts.append(text)
    case .array(let elements): for element in elements { element.addTexts(to: &texts) }
    case .object(let members): for member in members { member.value.addTexts(to: &texts) }
    case .null, .boolean, .number: break
    }
  }
}

extension Scenario {
  /// Returns the response at an index among all canned responses.
  fileprivate func response(at index: Int) -> CannedResponse? {
    var index = index
    for address in responses {
      if address.responses.indices.contains(index) { return address.responses[index] }
      index -= address.responses.count
    }
    return nil
  }
}

extension MemberExpectation {
  package var span: SourceSpan {
    switch self {
    case .label(let label): label.span
    case .match(let match): match.span
    }
  }
}

extension DiagnosticExpectation {
  fileprivate func matches(_ diagnostic: DiagnosticSnapshot) -> Bool {
    isCode(code, diagnostic.code, diagnostic.number) && (entity == nil || entity == diagnostic.entity)
      && (property == nil || property == diagnostic.property)
      && (pointer == nil || pointer == diagnostic.pointer)
      && (otherPointer == nil || otherPointer == diagnostic.otherPointer)
      && (response == nil || response == diagnostic.response)
  }

  fileprivate var text: String {
    ValueText.ofDiagnostic(
      DiagnosticSnapshot(
        code: code, entity: entity, property: property, pointer: pointer, otherPointer: otherPointer,
        response: response
      ).goldenForm)
  }
}

/// Returns a Boolean value that indicates whether an author's code means a code, by name or by number.
private func isCode(_ expected: String, _ code: String, _ number: Int?) -> Bool {
  expected == code || (number != nil && expected == number.map(String.init))
}
