import RecordEngine
import RecordSpecTesting

final class Book: Record {
  var title: String? { self["title"] }
}

struct SubjectList: RecordValueTransformer {
  func value(from json: JSONValue) -> JSONValue {
    guard case .string(let text) = json else { return json }
    return .array(text.split(separator: ",").map { .string(String($0)) })
  }
}

let app = ScenarioRegistrations(
  recordTypes: [Book.self],
  transformers: ["SubjectList": SubjectList()],
  hooks: [
    "keyFromLink": { options in
      options.keyInjection = { item in
        item.dictionary["link"]?.string?.split(separator: "/").last.map { .string(String($0)) }
      }
    }
  ])
