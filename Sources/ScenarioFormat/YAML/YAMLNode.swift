/// A value of a YAML file with its location. Each alias is replaced by the node that it names.
package struct YAMLNode: Sendable {
  package enum Content: Sendable {
    case scalar(YAMLScalar)
    case sequence([YAMLNode])
    case mapping([YAMLPair])
  }

  package var content: Content
  package var file: SourceFile
  /// The byte range of the value in its file, without the whitespace and comments after it.
  package var range: Range<Int>
}

/// A key of a mapping and its value.
package struct YAMLPair: Sendable {
  /// The key as text, without conversion and without quotes: `200` and `true` are the strings "200" and "true".
  package var key: String
  package var keyRange: Range<Int>
  package var value: YAMLNode
}

/// The text of a scalar and its style.
package struct YAMLScalar: Sendable {
  package enum Style: Sendable {
    case plain, quoted, block
  }

  package var text: String
  package var style: Style
  /// The tag, such as `!!str`; nil without a tag.
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

  /// The value for a key of a mapping. Linear in the number of pairs.
  package subscript(key: String) -> YAMLNode? { pairs?.first { $0.key == key }?.value }

  package var isNull: Bool { scalar?.value == .null }

  /// The kind of the value with its article, as in messages: `a string`.
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
