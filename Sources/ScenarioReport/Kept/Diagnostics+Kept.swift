import JSONTree
import RecordModel
package import ScenarioComparison
package import ScenarioFormat

extension DiagnosticSnapshot {
  var keptForm: JSONValue {
    var object = JSONFormObject()
    object.add("code", code)
    object.add("number", number)
    object.add("entity", entity?.rawValue)
    object.add("property", property?.rawValue)
    object.add("pointer", pointer)
    object.add("otherPointer", otherPointer)
    object.add("response", response)
    object.add("message", message)
    object.add("step", step)
    return object.form
  }

  package init(kept form: JSONForm) throws(JSONForm.Damaged) {
    func text(_ key: String) throws(JSONForm.Damaged) -> String? { try form.optional(key)?.string() }
    self.init(
      code: try form.required("code").string(), number: try form.optional("number")?.count(),
      entity: try form.optional("entity")?.name(), property: try form.optional("property")?.name(),
      pointer: try text("pointer"), otherPointer: try text("otherPointer"), response: try text("response"),
      message: try text("message"))
    step = try form.optional("step")?.count()
  }
}

extension FailureSnapshot {
  var keptForm: JSONValue {
    var object = JSONFormObject()
    object.add("code", code)
    object.add("number", number)
    object.add("status", status)
    object.add("message", message)
    object.add("others", list: others.map(\.keptForm))
    object.add("response", response)
    return object.form
  }

  init(kept form: JSONForm) throws(JSONForm.Damaged) {
    self.init(
      code: try form.required("code").string(), number: try form.optional("number")?.count(),
      status: try form.optional("status")?.count(), message: try form.optional("message")?.string(),
      others: try form.optional("others")?.elements(DiagnosticSnapshot.init(kept:)) ?? [])
    response = try form.optional("response")?.count()
  }
}

extension RequestSnapshot {
  /// The method is separate from the address, because any text can be a method.
  var keptForm: JSONValue {
    var object = JSONFormObject()
    var address = address
    address.method = "GET"
    object.add("method", self.address.method)
    object.add("address", address.text)
    if let body { object.add(body.key, .array([body.value])) }
    object.add("headers", sorted: headers.map { ($0.key, .string($0.value)) })
    if let redirectedFrom { object.add("redirectedFrom", redirectedFrom) }
    return object.form
  }

  init(kept form: JSONForm) throws(JSONForm.Damaged) {
    let text = try form.required("address").string()
    guard
      let address = try? RequestAddress(
        method: try form.required("method").string(), urn: text, baseURL: "")
    else { throw form.damaged("an address") }
    self.init(address: address)
    redirectedFrom = try form.optional("redirectedFrom")?.string()
    for (name, form) in try form.optional("headers")?.members() ?? [] { headers[name] = try form.string() }
    if case .array(let values)? = form.optional("json")?.value, let value = values.first {
      body = .json(value)
    } else if let form = try form.optional("form")?.elements({ $0 }).first {
      var fields: [String: String] = [:]
      for (name, form) in try form.members() { fields[name] = try form.string() }
      body = .form(fields)
    } else if let form = try form.optional("text")?.elements({ $0 }).first {
      body = .data(Array(try form.string().utf8))
    } else if let form = try form.optional("data")?.elements({ $0 }).first {
      guard let bytes = data(base64: try form.string().utf8) else { throw form.damaged("Base64") }
      body = .data(Array(bytes))
    }
  }
}

extension DriftSnapshot {
  var keptForm: JSONValue {
    var object = JSONFormObject()
    object.add("entities", sorted: entities.map { ($0.key.rawValue, $0.value.keptForm) })
    return object.form
  }

  init(kept form: JSONForm) throws(JSONForm.Damaged) {
    self.init()
    for (entity, form) in try form.optional("entities")?.members() ?? [] {
      entities[EntityName(entity)] = try EntityDriftSnapshot(kept: form)
    }
  }
}

extension EntityDriftSnapshot {
  fileprivate var keptForm: JSONValue {
    var object = JSONFormObject()
    object.add("items", items)
    object.add("missing", names: missing)
    object.add("unused", sorted: unused.map { ($0.key.description, $0.value.keptForm) })
    object.add("types", sorted: types.map { ($0.key, DriftCount.keptForm(of: $0.value)) })
    return object.form
  }

  fileprivate init(kept form: JSONForm) throws(JSONForm.Damaged) {
    self.init(items: try form.required("items").count(), missing: try form.optional("missing")?.names() ?? [])
    for (text, form) in try form.optional("unused")?.members() ?? [] {
      guard let path = try? MappingPath(text) else { throw form.damaged("a count of a key path") }
      unused[path] = try DriftCount(kept: form)
    }
    for (type, form) in try form.optional("types")?.members() ?? [] {
      for (kind, form) in try form.members() { types[type, default: [:]][kind] = try DriftCount(kept: form) }
    }
  }
}

extension DriftCount {
  fileprivate static func keptForm(of kinds: [String: DriftCount]) -> JSONValue {
    .object(JSONObject(kinds.sorted { scalarsPrecede($0.key, $1.key) }.map { ($0.key, $0.value.keptForm) }))
  }

  fileprivate var keptForm: JSONValue {
    var object = JSONFormObject()
    object.add("count", count)
    object.add("pointer", pointer)
    object.add("response", response)
    object.add("answer", answer)
    return object.form
  }

  fileprivate init(kept form: JSONForm) throws(JSONForm.Damaged) {
    self.init(
      count: try form.required("count").count(), pointer: try form.required("pointer").string(),
      response: try form.required("response").string(), answer: try form.optional("answer")?.count())
  }
}
