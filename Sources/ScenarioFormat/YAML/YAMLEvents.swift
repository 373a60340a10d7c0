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

  init?(file: SourceFile, text: YAMLText) {
    self.file = file
    self.text = text
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    guard yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      return nil
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
  func next() throws(YAMLRefusal) -> Item {
    while true {
      var event = yaml_event_t()
      guard yaml_parser_parse(parser, &event) == 1 else {
        let problem = YAMLSyntaxProblem(parser.pointee)
        throw YAMLRefusal(problem.diagnostic(in: file, offset: text.offset, lastQuoted: lastQuoted))
      }
      defer { yaml_event_delete(&event) }
      if let item = item(of: event) { return item }
    }
  }

  private func item(of event: yaml_event_t) -> Item? {
    let start = text.offset(ofCharacter: event.start_mark.index)
    let end = text.offset(ofCharacter: event.end_mark.index)
    func item(_ kind: Event, anchor: UnsafeMutablePointer<yaml_char_t>? = nil) -> Item {
      Item(event: kind, anchor: anchor.map { String(cString: $0) }, range: start..<max(start, end))
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
      if style == .quoted { lastQuoted = start..<max(start, end) }
      return item(
        .scalar(text: String(decoding: bytes, as: UTF8.self), tag: Self.text(scalar.tag), style: style),
        anchor: scalar.anchor)
    case YAML_SEQUENCE_START_EVENT:
      return item(
        .sequenceStart(tag: Self.text(data.sequence_start.tag)), anchor: data.sequence_start.anchor)
    case YAML_MAPPING_START_EVENT:
      return item(.mappingStart(tag: Self.text(data.mapping_start.tag)), anchor: data.mapping_start.anchor)
    case YAML_ALIAS_EVENT: return item(.alias, anchor: data.alias.anchor)
    case YAML_SEQUENCE_END_EVENT: return item(.sequenceEnd)
    case YAML_MAPPING_END_EVENT: return item(.mappingEnd)
    case YAML_DOCUMENT_START_EVENT: return item(.documentStart)
    case YAML_DOCUMENT_END_EVENT: return item(.documentEnd)
    case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return item(.streamEnd)
    default: return nil
    }
  }

  private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}
