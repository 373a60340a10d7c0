import Foundation
package import JSONTree
package import RecordModel

/// The reader of labels:
///
/// - `Post/1`, a record with a key
/// - `Line/7,3`, a record with a composite key
/// - `Counts@User/7`, a record whose key is its owner
/// - `Tag~1`, one of several records that only a number distinguishes
struct LabelReader {
  let findings: Findings
  let outline: ModelOutline?

  /// Reads a label in a value.
  ///
  /// - Parameter entity: the entity that the record must belong to, directly or by a sub-entity; nil for any.
  func label(_ node: YAMLNode, of entity: EntityName? = nil) -> Located<RecordLabel>? {
    if case .number? = node.scalar?.value {
      findings.wrongKind(
        node, expected: "a string", for: "the label of a record",
        advice: "write \(example(key: node.scalar?.text ?? "1", of: entity) ?? "a label like Post/1")")
      return nil
    }
    guard let text = findings.string(node, for: "the label of a record") else { return nil }
    return label(text, at: { node.span(ofScalars: $0) }, whole: node.span, of: entity)
  }

  /// Reads the label of a record in the result of a request for an entity. A record can belong to any entity of the
  /// hierarchy: an item can refer to a stored record by its key.
  func label(_ node: YAMLNode, inResultOf entity: EntityName) -> Located<RecordLabel>? {
    label(node, of: outline?.root(of: entity) ?? entity)
  }

  /// Reads a label in the key of a mapping.
  func label(_ pair: YAMLPair, of entity: EntityName? = nil) -> Located<RecordLabel>? {
    label(pair.key, at: { _ in pair.keySpan }, whole: pair.keySpan, of: entity)
  }

  private func label(
    _ text: String, at location: (Range<Int>) -> SourceSpan, whole: SourceSpan, of entity: EntityName?
  ) -> Located<RecordLabel>? {
    do {
      let name = try checkedEntity(of: LabelSyntax(text))
      if let entity, let outline, !outline.isKind(name, of: entity) {
        findings.report(
          .unknownEntity, at: location(0..<name.rawValue.unicodeScalars.count),
          "'\(text)' is not a label of \(entity)", expected: "a label of \(entity) or one of its sub-entities"
        )
        return nil
      }
      return Located(value: RecordLabel(rawValue: text), span: whole)
    } catch {
      findings.add(
        AuthorDiagnostic(
          error.code, at: location(error.range), error.message, expected: error.expected,
          advice: meant(by: text, of: entity).map { "did you mean '\($0)'?" } ?? error.advice
            ?? (error.code == .labelSyntax ? exampleAdvice(of: entity, for: text) : nil),
          notes: error.notes))
      return nil
    }
  }

  /// Returns the label for a text such as `Post.1`, `Post(1)`, `Post#1`, `Post1` or `Post/1.title`; nil if the text is not
  /// like a label, or differs from one in another way.
  private func meant(by text: String, of entity: EntityName?) -> String? {
    if let label = labelBeforeProperty(in: text) { return label }
    guard let outline, outline.entity(EntityName(text)) == nil, !text.contains(where: { "/@~".contains($0) })
    else { return nil }
    let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    let key = text[name.endIndex...].trimmingCharacters(
      in: .punctuationCharacters.union(.symbols).union(.whitespaces))
    if name.endIndex == text.endIndex {
      // The separator may be missing.
      let digits = String(text.reversed().prefix { $0.isASCII && $0.isNumber }.reversed())
      let entity = EntityName(String(text.dropLast(digits.count)))
      return digits.isEmpty || outline.entity(entity) == nil ? nil : example(key: digits, of: entity)
    }
    guard !key.isEmpty, outline.entity(EntityName(String(name))) != nil,
      !key.contains(where: { "%=".contains($0) })
    else { return nil }
    return example(key: key, of: EntityName(String(name)))
  }

  /// Returns the label in a text such as `Post/1.title` or `Post/1/title`, which names a property; nil for another text.
  private func labelBeforeProperty(in text: String) -> String? {
    guard let outline, let end = text.lastIndex(where: { $0 == "." || $0 == "/" }),
      let entity = try? checkedEntity(of: LabelSyntax(String(text[..<end])))
    else { return nil }
    let property = PropertyName(String(text[text.index(after: end)...]))
    return outline.property(property, of: entity).isKnown ? String(text[..<end]) : nil
  }

  /// Returns the advice for a text that is not a label.
  private func exampleAdvice(of entity: EntityName?, for text: String) -> String {
    if outline == nil, let name = entity?.rawValue ?? text.split(separator: "/").first.map(String.init) {
      // The tables of an app's store and their keys are unknown.
      return "write '\(name)/1', or '\(name)~1' if it has no key"
    }
    return example(key: "1", of: entity).map { "write a label such as '\($0)'" }
      ?? "write 'Post/1', 'Counts@User/7' or 'Tag~1'"
  }

  /// Returns the label of a record with a key, for advice; nil if labels of the entity have no such form.
  ///
  /// - Parameter entity: the entity of the record; nil for any entity whose labels have a key.
  func example(key: String, of entity: EntityName? = nil) -> String? {
    guard let outline else { return entity.map { "\($0)/\(key)" } }
    for name in entity.map({ [$0] }) ?? Array(outline.entityNames.prefix(100))
    where outline.entity(name)?.isAbstract == false {
      guard let names = outline.primaryKey(of: name) else { continue }
      if names.isEmpty, entity != nil { return "\(name)~1" }
      guard names.count == 1 else { continue }
      switch outline.property(names[0], of: name) {
      case .attribute: return "\(name)/\(key)"
      case .relationship(let owner) where entity != nil: return "\(name)@\(owner.destination)/\(key)"
      case .relationship, .unknown, .unclear: continue
      }
    }
    return nil
  }

  /// Returns the entity of a label. Throws an error if the model does not have the entity, or if the number of parts
  /// differs from the entity's key.
  private func checkedEntity(of label: LabelSyntax) throws(LabelError) -> EntityName {
    let name = EntityName(label.entity)
    guard let outline else { return name }
    guard outline.entity(name) != nil else {
      let names = outline.entityNames.map(\.rawValue)
      let near = findings.nearest(to: label.entity, among: names)
      throw LabelError(
        code: .unknownEntity, range: label.entityRange, message: "unknown entity '\(name)'",
        expected: near == nil && names.count <= 12 ? Findings.oneOf(names) : nil,
        advice: near.map { "did you mean '\($0)'?" })
    }
    if let keyParts = label.keyParts, let key = outline.primaryKey(of: name) {
      try check(keyParts, against: key, of: name, in: label, outline)
    }
    if let owner = label.owner { _ = try checkedEntity(of: owner) }
    return name
  }

  private func check(
    _ keyParts: [String], against key: [PropertyName], of entity: EntityName, in label: LabelSyntax,
    _ outline: ModelOutline
  ) throws(LabelError) {
    if key.isEmpty {
      throw LabelError(
        code: .labelSyntax, range: label.keyRange, message: "'\(entity)' has no primary key",
        advice:
          "add 'primaryKey' to '\(entity)' in the model, or write the number of the record: '\(entity)~1'",
        notes: outline.span(of: entity).map { [.init($0, "declared here")] } ?? [])
    }
    if case .relationship(let relationship) = outline.property(key[0], of: entity) {
      throw LabelError(
        code: .labelSyntax, range: label.keyRange,
        message: "the key of '\(entity)' is the relationship '\(relationship.name)'",
        advice: "write the label of its owner: '\(entity)@\(relationship.destination)/1'")
    }
    // The unknown parts of a key have been reported in the model.
    guard key.allSatisfy({ outline.property($0, of: entity).isKnown }) else { return }
    if key.count != keyParts.count {
      throw LabelError(
        code: .labelSyntax, range: label.keyRange,
        message: "the key of '\(entity)' has \(counted(key.count, "part")), not \(keyParts.count)",
        advice: key.count == 1
          ? "write a ',' in a key as '%2C'"
          : "separate the parts with ',': \(key.map(\.rawValue).joined(separator: ","))")
    }
    for (name, part) in zip(key, keyParts) {
      guard case .attribute(let attribute) = outline.property(name, of: entity) else { continue }
      try check(part, asKey: attribute, in: label)
    }
  }

  /// Throws an error if no record can have the key, because no value of the attribute is written this way.
  private func check(
    _ text: String, asKey attribute: AttributeDescription, in label: LabelSyntax
  ) throws(LabelError) {
    let type = attribute.type
    guard type != .transformable else { return }
    let value = text.literal(of: type).flatMap { try? AttributeValue(literal: $0, type: type) }
    let written = (value?.literal(type: type)).map(\.textOfKey)
    guard written != text else { return }
    throw LabelError(
      code: .literal, range: label.keyRange,
      message: written == nil
        ? "the key '\(attribute.name)' must be \(type.rawValue), not '\(text)'"
        : "'\(text)' is not the canonical form of the key '\(attribute.name)'",
      advice: written.map { "write '\($0)'" })
  }
}

extension String {
  /// Returns the literal for a part of a label; nil if the part is not a literal of the type.
  package func literal(of type: AttributeType) -> JSONValue? {
    switch type {
    case .int16, .int32, .int64, .float, .double, .decimal: JSONNumber(digits: self).map(JSONValue.number)
    case .boolean: Bool(self).map(JSONValue.boolean)
    case .string, .date, .binary, .uuid, .uri, .transformable: .string(self)
    }
  }
}

extension JSONValue {
  fileprivate var textOfKey: String { if case .string(let text) = self { text } else { compactText() } }
}

/// An error in a label, with its range in Unicode scalars.
struct LabelError: Error {
  var code: AuthorDiagnostic.Code
  var range: Range<Int>
  var message: String
  var expected: String?
  var advice: String?
  var notes: [AuthorDiagnostic.Note] = []
}
