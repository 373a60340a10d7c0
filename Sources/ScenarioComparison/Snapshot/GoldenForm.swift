package import JSONTree
import OrderedCollections
import RecordModel
import ScenarioFormat

// The form of a golden file. A field is written only if it differs from its default. A new feature therefore changes
// only the files of scenarios that use it.

extension ScenarioSnapshot {
  /// The version of the format. The files do not contain it.
  package static let goldenFormatVersion = 1

  package var goldenForm: JSONValue {
    ["graph": graph.goldenForm, "steps": .array(steps.map(\.goldenForm))]
  }
}

extension GraphSnapshot {
  package var goldenForm: JSONValue {
    var entities: OrderedDictionary<EntityName, JSONObject> = [:]
    for label in labels {
      guard let record = records[label] else { continue }
      entities[record.entity, default: [:]][label.rawValue] = record.goldenForm
    }
    return .object(JSONObject(entities.map { ($0.rawValue, .object($1)) }))
  }
}

extension RecordSnapshot {
  package var goldenForm: JSONValue {
    var members: JSONObject = [:]
    for (name, property) in properties.sorted(by: { $0.key < $1.key }) {
      members[name.rawValue] = property.goldenForm
    }
    return .object(members)
  }
}

extension PropertySnapshot {
  package var goldenForm: JSONValue {
    switch self {
    case .attribute(let value, let type): value.literal(type: type)
    case .toOne(let label): .string(label.rawValue)
    case .toMany(let labels, _): JSONValue(labels)
    }
  }
}

extension StepSnapshot {
  package var goldenForm: JSONValue {
    var members = action.members
    if action.kind == .batch { members[action.kind.rawValue] = .array(batch.map(\.goldenForm)) }
    if !stored.isEmpty { members["stored"] = JSONValue(stored) }
    if !records.isEmpty { members["records"] = JSONValue(records) }
    if !inserted.isEmpty { members["inserted"] = JSONValue(inserted.sorted()) }
    if !updated.isEmpty {
      var records: JSONObject = [:]
      for (label, names) in updated.sorted(by: { $0.key < $1.key }) {
        records[label.rawValue] = .array(names.sorted().map { .string($0.rawValue) })
      }
      members["updated"] = .object(records)
    }
    if !deleted.isEmpty { members["deleted"] = JSONValue(deleted.sorted()) }
    if !diagnostics.isEmpty { members["diagnostics"] = .array(diagnostics.map(\.goldenForm)) }
    if let drift { members["drift"] = drift.goldenForm }
    if let failure { members["failure"] = failure.goldenForm }
    if served.contains(where: { $0 != .network }) {
      let words = served.map { JSONValue.string($0.rawValue) }
      members["served"] = Set(served).count == 1 ? words[0] : .array(words)
    }
    if let metaData { members["metaData"] = metaData }
    if let customResponse { members["customResponse"] = customResponse }
    if let page {
      if page.hasMore { members["more"] = true }
      if let total = page.total { members["total"] = .number(JSONNumber(Int64(total))) }
      if let count = page.perPage { members["perPage"] = .number(JSONNumber(Int64(count))) }
      if let index = page.index { members["pageIndex"] = .number(JSONNumber(Int64(index))) }
    }
    if requests != statedRequests {
      // The requests of an app are sorted, because those that it sends in parallel arrive in any order.
      let areOfApp = [.call, .reopen, .advance].contains(action.kind)
      members["requests"] = .array((areOfApp ? requests.sortedByAddress : requests).map(\.goldenForm))
    }
    return .object(members)
  }

}

extension DiagnosticSnapshot {
  package var goldenForm: JSONValue {
    var members: JSONObject = ["code": .string(code)]
    if let entity { members["entity"] = .string(entity.rawValue) }
    if let property { members["property"] = .string(property.rawValue) }
    if let pointer { members["pointer"] = .string(pointer) }
    if let otherPointer { members["otherPointer"] = .string(otherPointer) }
    if let response { members["response"] = .string(response) }
    return .object(members)
  }
}

extension RequestSnapshot {
  package var goldenForm: JSONValue {
    var members: JSONObject = ["address": .string(address.text)]
    if let body { members[body.key] = body.value }
    if !headers.isEmpty {
      var values: JSONObject = [:]
      for (name, value) in headers.sorted(by: { $0.key < $1.key }) { values[name] = .string(value) }
      members["headers"] = .object(values)
    }
    return .object(members)
  }
}

extension [RequestSnapshot] {
  fileprivate var sortedByAddress: [RequestSnapshot] {
    sorted { scalarsPrecede($0.goldenForm.compactText(), $1.goldenForm.compactText()) }
  }
}

extension FailureSnapshot {
  package var goldenForm: JSONValue {
    if code == Self.ofApp { return true }
    var members: JSONObject = ["code": .string(code)]
    if let status { members["status"] = .number(JSONNumber(Int64(status))) }
    return .object(members)
  }
}

extension JSONValue {
  fileprivate init(_ labels: [RecordLabel]) { self = .array(labels.map { .string($0.rawValue) }) }
}
