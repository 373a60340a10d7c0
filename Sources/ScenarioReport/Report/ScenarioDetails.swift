package import JSONTree
package import ScenarioFormat

/// The details of the result of a scenario: its files, responses, steps, graphs and differences, and the provenance of its
/// values. Only some reports contain them.
///
/// The details are JSON in the form that the page of the HTML report reads. They are passed on as they are, because no
/// report contains a part of them.
package struct ScenarioDetails: Hashable, Sendable {
  /// The index of the scenario, as in its ``ReportedScenario``.
  package var index: Int
  /// The texts that other scenarios may have, too, such as a model file, by their digests.
  package var texts: [SharedText] = []
  /// The object with the details.
  package let form: JSONValue
}

/// A text that several scenarios have, and that a report therefore contains once.
package struct SharedText: Hashable, Sendable {
  /// The number of bytes and their hash, such as `120-9f3c5b2a11d0e764`.
  package let digest: String
  package let text: String
}

extension SharedText {
  init(_ text: String) { self.init(digest: InputFile.digest(of: Array(text.utf8)), text: text) }
}

/// The texts that a report already contains.
struct WrittenTexts {
  private var digests: Set<String> = []

  /// Returns details without the texts that have already been written.
  mutating func taking(_ details: ScenarioDetails) -> ScenarioDetails {
    var details = details
    details.texts = details.texts.filter { digests.insert($0.digest).inserted }
    return details
  }
}

// MARK: Form

extension ScenarioDetails {
  /// Adds the members of a line of a JSON Lines report.
  package func add(to object: inout JSONFormObject) {
    object.add("index", index)
    object.add("texts", list: texts.map { .array([.string($0.digest), .string($0.text)]) })
    object.add("details", form)
  }

  /// Reads the object of a line.
  package init(_ form: JSONForm) throws(JSONForm.Damaged) {
    let details = try form.required("details")
    _ = try details.members()
    let texts: [SharedText] =
      try form.optional("texts")?.elements { form throws(JSONForm.Damaged) in
        let parts = try form.elements { form throws(JSONForm.Damaged) in try form.string() }
        // The digest becomes part of an identifier in HTML.
        guard parts.count == 2,
          parts[0].utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit || $0 == UInt8(ascii: "-") })
        else { throw form.damaged("a digest and a text") }
        return SharedText(digest: parts[0], text: parts[1])
      } ?? []
    self.init(index: try form.required("index").count(), texts: texts, form: details.value)
  }
}
