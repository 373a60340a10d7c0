/// One value of a YAML file, with its place. Aliases are resolved: the node stands at each place that names it.
package struct YAMLNode: Sendable {
  package enum Content: Sendable {
    case scalar(YAMLScalar)
    case sequence([YAMLNode])
    case mapping([YAMLPair])
  }

  package var content: Content
  package var file: SourceFile
  /// The bytes of the value in its file, without what follows it.
  package var range: Range<Int>
}

/// A key of a mapping and what it names, in the order of the file.
package struct YAMLPair: Sendable {
  /// The key as text: `200`, `true` and `"a b"` are keys as they are written.
  package var key: String
  package var keyRange: Range<Int>
  package var value: YAMLNode
}

/// The text of a scalar and how it was written.
package struct YAMLScalar: Sendable {
  package enum Style: Sendable {
    case plain, quoted, block
  }

  package var text: String
  package var style: Style
  /// What a tag such as `!!str` says of the value; nil without a tag.
  package var tag: YAMLScalarTag?
}

/// The tags of the core schema that a scalar may have.
package enum YAMLScalarTag: String, Sendable, CaseIterable {
  case string = "str"
  case integer = "int"
  case float
  case boolean = "bool"
  case null
}

extension YAMLNode {
  package var span: SourceSpan { file.span(range) }

  package var scalar: YAMLScalar? {
    if case .scalar(let scalar) = content { scalar } else { nil }
  }

  package var elements: [YAMLNode]? {
    if case .sequence(let elements) = content { elements } else { nil }
  }

  package var pairs: [YAMLPair]? {
    if case .mapping(let pairs) = content { pairs } else { nil }
  }

  /// The value of a key of a mapping. Linear in the pairs.
  package subscript(key: String) -> YAMLNode? { pairs?.first { $0.key == key }?.value }

  package var isNull: Bool { scalar?.value == .null }

  /// What the value is, with its article, as in messages: `a string`.
  package var kindName: String {
    switch content {
    case .scalar(let scalar): scalar.value.kindName
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}

extension YAMLPair {
  package var keySpan: SourceSpan { value.file.span(keyRange) }
}
