import RecordSpecLibYAML

/// The events of a YAML file, in the order in which libyaml finds them.
///
/// Each event is freed before the next one is read, and the parser is freed with the last reference, even after an
/// error.
final class YAMLEvents {
  enum Event {
    case scalar(text: String, tag: String?, style: YAMLScalar.Style)
    case sequenceStart(tag: String?)
    case sequenceEnd
    case mappingStart(tag: String?)
    case mappingEnd
    case alias
    case documentStart
    case documentEnd
    case streamEnd
  }

  /// An event, its anchor or the name of its alias, and its byte range.
  struct Item {
    var event: Event
    var anchor: String?
    var range: Range<Int>
  }

  private let file: SourceFile
  private let text: YAMLText
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutablePointer<UInt8>
  /// The range of the last quoted scalar. After a missing closing quote, the scalar ends at the next quote, and the
  /// error is at its start.
  private var lastQuoted: Range<Int>?

  init(of file: SourceFile) throws(AuthorDiagnostic) {
    self.file = file
    text = try YAMLText(checking: file)
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    guard yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      throw Self.outOfMemory(file)
    }
    // libyaml reads the bytes while it parses, so they need a stable address.
    let count = file.bytes.count - text.start
    input = .allocate(capacity: max(1, count))
    _ = UnsafeMutableBufferPointer(start: input, count: count).update(from: file.bytes[text.start...])
    yaml_parser_set_input_string(parser, input, count)
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    input.deallocate()
  }

  /// Returns the next event. Skips the start of the stream.
  func next() throws(AuthorDiagnostic) -> Item {
    while true {
      var event = yaml_event_t()
      guard yaml_parser_parse(parser, &event) == 1 else {
        if parser.pointee.error == YAML_MEMORY_ERROR { throw Self.outOfMemory(file) }
        throw YAMLSyntaxProblem(parser.pointee, in: file, text).diagnostic(lastQuoted: lastQuoted)
      }
      defer { yaml_event_delete(&event) }
      if let item = item(of: event) { return item }
    }
  }

  private static func outOfMemory(_ file: SourceFile) -> AuthorDiagnostic {
    AuthorDiagnostic(.yamlSyntax, at: .file(file.path), "not enough memory to read the file")
  }

  private func item(of event: yaml_event_t) -> Item? {
    let start = self.text.offset(ofCharacter: event.start_mark.index)
    let end = self.text.offset(ofCharacter: event.end_mark.index)
    let range = start..<max(start, end)
    func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
      pointer.map { String(cString: $0) }
    }
    func item(_ kind: Event, anchor: UnsafeMutablePointer<yaml_char_t>? = nil) -> Item {
      Item(event: kind, anchor: text(anchor), range: range)
    }

    let data = event.data
    switch event.type {
    case YAML_SCALAR_EVENT:
      let scalar = data.scalar
      let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      let style: YAMLScalar.Style =
        switch scalar.style {
        case YAML_PLAIN_SCALAR_STYLE: .plain
        case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
        default: .quoted
        }
      if style == .quoted { lastQuoted = range }
      return item(
        .scalar(text: String(decoding: bytes, as: UTF8.self), tag: text(scalar.tag), style: style),
        anchor: scalar.anchor)
    case YAML_SEQUENCE_START_EVENT:
      return item(.sequenceStart(tag: text(data.sequence_start.tag)), anchor: data.sequence_start.anchor)
    case YAML_MAPPING_START_EVENT:
      return item(.mappingStart(tag: text(data.mapping_start.tag)), anchor: data.mapping_start.anchor)
    case YAML_ALIAS_EVENT: return item(.alias, anchor: data.alias.anchor)
    case YAML_SEQUENCE_END_EVENT: return item(.sequenceEnd)
    case YAML_MAPPING_END_EVENT: return item(.mappingEnd)
    case YAML_DOCUMENT_START_EVENT: return item(.documentStart)
    case YAML_DOCUMENT_END_EVENT: return item(.documentEnd)
    case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return item(.streamEnd)
    default: return nil
    }
  }
}
