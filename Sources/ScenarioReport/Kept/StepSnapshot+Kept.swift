import JSONTree
import RecordModel
import ScenarioComparison
package import ScenarioFormat

// In contrast to a golden file, a kept result has everything that a run has shown, including messages.

extension StepSnapshot {
  var keptForm: JSONValue {
    var object = JSONFormObject()
    object.add("action", action.keptForm)
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
    self.init(try Action(kept: form.required("action")))
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

extension StepSnapshot.Action {
  fileprivate var keptForm: JSONValue {
    var object = JSONFormObject()
    func sends(_ kind: String, _ entity: EntityName, _ method: String, _ urn: String) {
      object.add("kind", kind)
      object.add("entity", entity.rawValue)
      object.add("method", method)
      object.add("urn", urn)
    }
    switch self {
    case .request(let entity, let method, let urn, let name):
      sends("request", entity, method, urn)
      object.add("name", name)
    case .page(let entity, let method, let urn, let run, let count):
      sends("page", entity, method, urn)
      object.add("run", run)
      object.add("count", count.keptCount)
    case .nextPage(let run, let count):
      object.add("kind", "nextPage")
      object.add("run", run)
      object.add("count", count.keptCount)
    case .detail(let label): object.add("detail", label.rawValue)
    case .fetchFirst(let entity, let method, let urn): sends("fetchFirst", entity, method, urn)
    case .batch: object.add("kind", "batch")
    case .await(let name): object.add("await", name)
    case .cancel(let domain): object.add("cancel", domain)
    case .fetch(let entity): object.add("fetch", entity.rawValue)
    case .change: object.add("kind", "change")
    case .save: object.add("kind", "save")
    case .rollback: object.add("kind", "rollback")
    case .reopen: object.add("kind", "reopen")
    case .tweak(let isNone):
      object.add("kind", "tweak")
      object.add("isNone", flag: isNone)
    case .serialize(let url): object.add("serialize", url)
    case .advance(let time):
      let (seconds, attoseconds) = time.components
      object.add("advance", .array([seconds, attoseconds].map { .number(JSONNumber($0)) }))
    case .clearCache: object.add("kind", "clearCache")
    }
    return object.form
  }

  /// The seconds of the longest duration that a scenario can state. A golden file has milliseconds, which must not
  /// overflow.
  private static let maximumSeconds = 366 * 86_400 as Int64
  private static let attosecondsPerSecond = 1_000_000_000_000_000_000 as Int64

  fileprivate init(kept form: JSONForm) throws(JSONForm.Damaged) {
    func text(_ key: String) throws(JSONForm.Damaged) -> String { try form.required(key).string() }
    func count() throws(JSONForm.Damaged) -> PageCount {
      guard let count = form.optional("count") else { return .all }
      return .upTo(try count.count())
    }
    if let label = form.optional("detail") {
      self = .detail(try label.name())
    } else if let name = form.optional("await") {
      self = .await(try name.string())
    } else if let domain = form.optional("cancel") {
      self = .cancel(try domain.string())
    } else if let entity = form.optional("fetch") {
      self = .fetch(try entity.name())
    } else if let url = form.optional("serialize") {
      self = .serialize(url: try url.string())
    } else if let time = form.optional("advance") {
      let parts = try time.elements { form throws(JSONForm.Damaged) in try form.integer() }
      guard parts.count == 2, (-Self.maximumSeconds...Self.maximumSeconds).contains(parts[0]),
        (-Self.attosecondsPerSecond...Self.attosecondsPerSecond).contains(parts[1])
      else { throw time.damaged("seconds and attoseconds of at most 366 days") }
      self = .advance(Duration(secondsComponent: parts[0], attosecondsComponent: parts[1]))
    } else {
      switch try text("kind") {
      case "request":
        self = .request(
          try form.required("entity").name(), method: try text("method"), urn: try text("urn"),
          name: try form.optional("name")?.string())
      case "page":
        self = .page(
          try form.required("entity").name(), method: try text("method"), urn: try text("urn"),
          run: try text("run"), count: try count())
      case "nextPage": self = .nextPage(run: try text("run"), count: try count())
      case "fetchFirst":
        self = .fetchFirst(
          try form.required("entity").name(), method: try text("method"), urn: try text("urn"))
      case "batch": self = .batch
      case "change": self = .change
      case "save": self = .save
      case "rollback": self = .rollback
      case "reopen": self = .reopen
      case "tweak": self = .tweak(isNone: try form.optional("isNone")?.boolean() ?? false)
      case "clearCache": self = .clearCache
      default: throw form.damaged("the action of a step")
      }
    }
  }
}

extension PageCount {
  /// The largest number of pages; nil for all.
  fileprivate var keptCount: Int? {
    switch self {
    case .all: nil
    case .upTo(let count): count
    }
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
