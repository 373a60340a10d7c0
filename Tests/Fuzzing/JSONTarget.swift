import JSONTree
import TestSupport

/// JSON: the accepted texts, their values, and the texts that are written of these values.
struct JSONTarget: FuzzTarget {
  func check(_ input: [UInt8]) {
    let isJSON = ReferenceRecogniser.accepts(input)
    let document: JSONDocument
    do throws(JSONSyntaxError) {
      document = try JSONDocument(parsing: input)
    } catch {
      expect(!isJSON, "JSON is refused: \(error)")
      expect(0...input.count ~= error.location.offset, "the error's offset is \(error.location.offset)")
      return
    }
    expect(isJSON, "something is accepted that is no JSON")
    let value = document.root.value
    for text in [value.canonicalText(), value.compactText()] {
      let again = parsed(text)
      expect(
        again == value && again.hashValue == value.hashValue, "another value is read from what was written")
      expect(again.canonicalText() == value.canonicalText(), "the canonical text changes")
    }
    expect(JSONDocument(value).root.value == value, "a document of the value has another one")
    for duplicate in document.duplicateKeys {
      expect(input.indices.contains(duplicate.location.offset), "a duplicate key stands outside of the text")
    }
    walk(document.root, value, in: input)
  }

  private func parsed(_ text: String) -> JSONValue {
    expectNoError("what was written is refused") { try JSONDocument(parsing: Array(text.utf8)).root.value }
  }

  private func walk(_ node: JSONNode, _ value: JSONValue, in input: [UInt8]) {
    expect(node.kind == value.kind, "the node and its value are of different kinds")
    let range = node.byteRange
    expect(
      range.lowerBound >= 0 && range.upperBound <= input.count && !range.isEmpty, "a node is at \(range)")
    switch value {
    case .null, .boolean: break
    case .string(let text): expect(node.string.map { Array($0.utf8) } == Array(text.utf8), "the text differs")
    case .number(let number): check(number)
    case .array(let elements):
      expect(node.count == elements.count, "the elements are counted wrongly")
      for (element, value) in zip(node.elements, elements) { walk(element, value, in: input) }
    case .object(let members):
      expect(node.count >= members.count, "the members are counted wrongly")
      for (key, value) in members {
        guard let member = node[key] else { fatalError("there is no member '\(key)'") }
        walk(member, value, in: input)
        let pointer = JSONPointer(tokens: [key, key])
        expect(JSONPointer(pointer.description) == pointer, "the pointer \(pointer) is read otherwise")
      }
    }
  }

  private func check(_ number: JSONNumber) {
    expect(JSONNumber(digits: number.digits) == number, "the digits \(number.digits) are another number")
    expect(!(number < number), "\(number) is less than itself")
    if let integer = number.int64Value {
      expect(JSONNumber(integer) == number && number.isInteger, "\(number) is not \(integer)")
    }
    if let double = number.doubleValue {
      expect(double.isFinite && JSONNumber(double) != nil, "\(number) is \(double)")
    }
  }
}
