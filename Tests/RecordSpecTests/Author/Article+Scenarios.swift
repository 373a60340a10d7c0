extension Article {
  /// The scenarios of the article, with the lines of their blocks. A YAML block that begins with a title is a scenario. Any
  /// other YAML block is a part of one: its top-level keys are added to the first scenario of the page, or replace its keys.
  var scenarios: [(line: Int, text: String)] {
    var whole: TopLevelKeys?
    return blocks(in: "yaml").compactMap { block in
      guard block.fileName == nil else { return nil }
      let keys = TopLevelKeys(block.text)
      if keys.texts["title"] != nil {
        if whole == nil { whole = keys }
        return (block.line, keys.text)
      }
      return whole.map { (block.line, $0.replacing(keys).text) }
    }
  }
}

/// The text of each top-level key of a YAML file.
private struct TopLevelKeys {
  var order: [String] = []
  var texts: [String: String] = [:]

  init(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let key = line.prefixMatch(of: /([A-Za-z]+):/) {
        order.append(String(key.1))
        texts[String(key.1)] = line + "\n"
      } else if let last = order.last {
        texts[last, default: ""] += line + "\n"
      }
    }
  }

  var text: String { order.compactMap { texts[$0] }.joined() }

  func replacing(_ others: TopLevelKeys) -> TopLevelKeys {
    var result = self
    result.order += others.order.filter { texts[$0] == nil }
    result.texts.merge(others.texts) { _, new in new }
    return result
  }
}
