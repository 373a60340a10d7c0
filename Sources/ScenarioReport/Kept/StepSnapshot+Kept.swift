import JSONTree
import RecordModel
import ScenarioComparison
package import ScenarioFormat

// In contrast to a golden file, a kept result has everything that a run has shown, including messages.

extension StepSnapshot {
  var keptForm: JSONValue {
    var object = JSONFormObject()
    object.add("action", .object(action.members))
    object.add("stored", names: stored)
    object.add("records", names: records)
    object.add("inserted", names: inserted)
    object.add(
      "updated",
      sorted: updated.map { label, names in
        (label.rawValue, .array(names.map { .string($0.rawValue) }))
      })
    object.add(
      "changes",
      sorted: changes.map { label, properties in
        (
          label.rawValue,
          .sorted(properties.map { ($0.key.rawValue, .sorted($0.value.map { ($0.key, $0.value) })) })
        )
      })
    object.add("deleted", names: deleted)
    object.add("unchanged", names: unchanged)
    object.add("diagnostics", list: diagnostics.map(\.keptForm))
    object.add("failure", failure?.keptForm)
    object.add("page", page?.keptForm)
    object.add("served", names: served)
    object.add("customResponse", customResponse.map { [$0] })
    object.add("metaData", metaData.map { [$0] })
    object.add("drift", drift?.keptForm)
    object.add("unappliedKeyPaths", list: unappliedKeyPaths.map(\.keptForm))
    object.add("batch", list: batch.map(\.keptForm))
    object.add("requests", list: requests.map(\.keptForm))
    object.add("statedRequests", list: statedRequests.map(\.keptForm))
    return object.form
  }

  init(kept form: JSONForm) throws(JSONForm.Damaged) {
    let action = try form.required("action")
    guard case .object(let members) = action.value, let recorded = RecordedAction(members) else {
      throw action.damaged("the action of a step")
    }
    self.init(recorded)
    func labels(_ key: String) throws(JSONForm.Damaged) -> [RecordLabel] {
      try form.optional(key)?.names() ?? []
    }
    func all<Element>(
      _ key: String, _ read: (JSONForm) throws(JSONForm.Damaged) -> Element
    ) throws(JSONForm.Damaged) -> [Element] {
      try form.optional(key)?.elements(read) ?? []
    }
    stored = try labels("stored")
    records = try labels("records")
    inserted = try labels("inserted")
    deleted = try labels("deleted")
    unchanged = try labels("unchanged")
    for (label, form) in try form.optional("updated")?.members() ?? [] {
      updated[RecordLabel(label)] = try form.names()
    }
    for (label, form) in try form.optional("changes")?.members() ?? [] {
      for (name, form) in try form.members() {
        var sides: [String: JSONValue] = [:]
        for (side, form) in try form.members() { sides[side] = form.value }
        changes[RecordLabel(label), default: [:]][PropertyName(name)] = sides
      }
    }
    diagnostics = try all("diagnostics", DiagnosticSnapshot.init(kept:))
    failure = try form.optional("failure").map(FailureSnapshot.init(kept:))
    page = try form.optional("page").map(PageSnapshot.init(kept:))
    served = try form.optional("served")?.names() ?? []
    customResponse = try form.optional("customResponse").map(Self.onlyElement)
    metaData = try form.optional("metaData").map(Self.onlyElement)
    drift = try form.optional("drift").map(DriftSnapshot.init(kept:))
    unappliedKeyPaths = try all("unappliedKeyPaths", UnappliedKeyPath.init(kept:))
    batch = try all("batch", StepSnapshot.init(kept:))
    requests = try all("requests", RequestSnapshot.init(kept:))
    statedRequests = try all("statedRequests", RequestSnapshot.init(kept:))
  }

  /// Returns the value in an array. Values that may be null are kept in one.
  private static func onlyElement(_ form: JSONForm) throws(JSONForm.Damaged) -> JSONValue {
    guard case .array(let elements) = form.value, let value = elements.first else {
      throw form.damaged("an array of one value")
    }
    return value
  }
}

extension UnappliedKeyPath {
  fileprivate var keptForm: JSONValue {
    var object = JSONFormObject()
    object.add("path", path)
    object.add("response", response)
    return object.form
  }

  fileprivate init(kept form: JSONForm) throws(JSONForm.Damaged) {
    self.init(path: try form.required("path").string(), response: try form.required("response").string())
  }
}

extension PageSnapshot {
  fileprivate var keptForm: JSONValue {
    var object = JSONFormObject()
    object.add("hasMore", flag: hasMore)
    object.add("total", total)
    object.add("perPage", perPage)
    object.add("index", index)
    return object.form
  }

  fileprivate init(kept form: JSONForm) throws(JSONForm.Damaged) {
    self.init(
      hasMore: try form.optional("hasMore")?.boolean() ?? false, total: try form.optional("total")?.count(),
      perPage: try form.optional("perPage")?.count(), index: try form.optional("index")?.count())
  }
}

extension JSONForm {
  package func names<Name: RawRepresentable<String>>() throws(Damaged) -> [Name] {
    try elements { form throws(Damaged) in try form.name() }
  }
}

extension JSONValue {
  fileprivate static func sorted(_ entries: [(name: String, value: JSONValue)]) -> JSONValue {
    .object(JSONObject(entries.sorted { scalarsPrecede($0.name, $1.name) }.map { ($0.name, $0.value) }))
  }
}
