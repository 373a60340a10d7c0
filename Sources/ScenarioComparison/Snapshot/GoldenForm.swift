package import JSONTree
import OrderedCollections
import RecordModel
package import ScenarioFormat

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
  /// The fields of a golden file that name the kind of a step. Each step has one of them.
  package static let kinds = [
    "request", "page", "nextPage", "detail", "fetchFirst", "batch", "await", "cancel", "fetch", "change",
    "save", "rollback", "reopen", "tweak", "serialize", "advance", "clearCache",
  ]
  /// The fields that specify the action of a step.
  package static let details = ["method", "urn", "as", "run", "upTo"]

  package var goldenForm: JSONValue {
    var members: JSONObject = [:]
    switch action {
    case .request(let entity, let method, let urn, let name):
      state("request", entity, method, urn, &members)
      if let name { members["as"] = .string(name) }
    case .page(let entity, let method, let urn, let run, let count):
      state("page", entity, method, urn, &members)
      if !run.isEmpty { members["run"] = .string(run) }
      if count != .upTo(1) { members["upTo"] = count.goldenForm }
    case .nextPage(let run, let count):
      members["nextPage"] = run.isEmpty ? true : .string(run)
      if count != .upTo(1) { members["upTo"] = count.goldenForm }
    case .detail(let label): members["detail"] = .string(label.rawValue)
    case .fetchFirst(let entity, let method, let urn): state("fetchFirst", entity, method, urn, &members)
    case .batch: members["batch"] = .array(batch.map(\.goldenForm))
    case .await(let name): members["await"] = .string(name)
    case .cancel(let domain): members["cancel"] = .string(domain)
    case .fetch(let entity): members["fetch"] = .string(entity.rawValue)
    case .change: members["change"] = true
    case .save: members["save"] = true
    case .rollback: members["rollback"] = true
    case .reopen: members["reopen"] = true
    case .tweak(let isNone): members["tweak"] = isNone ? "none" : true
    case .serialize(let url): members["serialize"] = .string(url)
    case .advance(let time): members["advance"] = .string(time.goldenForm)
    case .clearCache: members["clearCache"] = true
    }
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
      members["requests"] = .array(requests.map(\.goldenForm))
    }
    return .object(members)
  }

  private func state(
    _ action: String, _ entity: EntityName, _ method: String, _ urn: String,
    _ members: inout JSONObject
  ) {
    members[action] = .string(entity.rawValue)
    if method != "GET" { members["method"] = .string(method) }
    members["urn"] = .string(urn)
  }
}

extension PageCount {
  package var goldenForm: JSONValue {
    switch self {
    case .all: "all"
    case .upTo(let count): .number(JSONNumber(Int64(count)))
    }
  }
}

extension Duration {
  /// The duration in the largest unit that needs no fraction: `61s`, `1500ms`.
  package var goldenForm: String {
    let milliseconds = Int64((self / .milliseconds(1)).rounded())
    let units = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1000, "s")] as [(Int64, String)]
    let unit = units.first { milliseconds != 0 && milliseconds % $0.0 == 0 } ?? (1, "ms")
    return "\(milliseconds / unit.0)\(unit.1)"
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

extension FailureSnapshot {
  package var goldenForm: JSONValue {
    var members: JSONObject = ["code": .string(code)]
    if let status { members["status"] = .number(JSONNumber(Int64(status))) }
    return .object(members)
  }
}

extension JSONValue {
  fileprivate init(_ labels: [RecordLabel]) { self = .array(labels.map { .string($0.rawValue) }) }
}
