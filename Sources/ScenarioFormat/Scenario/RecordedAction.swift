package import JSONTree
import RecordModel

/// The kind of a step. Its raw value is the key of the action in scenarios and in golden files.
package enum StepKind: String, CaseIterable, Sendable {
  case request, page, nextPage, detail, fetchFirst, batch, await, cancel, fetch, change, save, rollback,
    reopen,
    tweak, serialize, advance, clearCache, call

  /// The kinds whose name alone is a step.
  static let withoutDetails: [StepKind] = [.nextPage, .save, .rollback, .reopen, .clearCache]

  /// A Boolean value that indicates whether the name alone is a step, as in `- save`.
  package var needsNoDetails: Bool { Self.withoutDetails.contains(self) }

  /// The kind in words: `fetch first`.
  package var words: String {
    rawValue.map { $0.isUppercase ? " \($0.lowercased())" : String($0) }.joined()
  }

  /// A Boolean value that indicates whether steps of this kind return or save records.
  package var bringsRecords: Bool {
    switch self {
    case .request, .page, .nextPage, .detail, .fetchFirst, .await, .fetch, .save, .serialize: true
    default: false
    }
  }
}

/// The action of a step as golden files record it, such as `{"request": "Post", "urn": "posts"}`.
package struct RecordedAction: Hashable, Sendable {
  package let kind: StepKind
  /// The key of the kind, followed by the details.
  package private(set) var members: JSONObject

  /// The keys of the details.
  package static let details = ["method", "urn", "as", "run", "upTo", "with"]

  package init(_ kind: StepKind, _ value: JSONValue = true, details: JSONObject = [:]) {
    self.kind = kind
    members = [kind.rawValue: value]
    for (key, detail) in details { members[key] = detail }
  }

  /// Reads the members of an action; nil if they do not begin with a kind, or have other details.
  package init?(_ members: JSONObject) {
    guard let kind = members.keys.first.flatMap(StepKind.init(rawValue:)),
      members.keys.dropFirst().allSatisfy(Self.details.contains)
    else { return nil }
    self.kind = kind
    self.members = members
  }

  init(of action: Step.Action) {
    switch action {
    case .request(let request):
      self.init(.request, request)
      members["as"] = request.name.map(JSONValue.string)
    case .page(let page):
      self.init(.page, page.request)
      if !page.run.isEmpty { members["run"] = .string(page.run) }
      members["upTo"] = page.count.goldenForm
    case .nextPage(let page):
      self.init(.nextPage, page.run.isEmpty ? true : .string(page.run))
      members["upTo"] = page.count.goldenForm
    case .detail(let detail):
      self.init(.detail, .string(detail.record.value.rawValue))
      if detail.method != "GET" { members["method"] = .string(detail.method) }
      members["urn"] = detail.urn.map(JSONValue.string)
    case .fetchFirst(let step): self.init(.fetchFirst, step.request)
    case .batch: self.init(.batch)
    case .await(let name): self.init(.await, .string(name))
    case .cancel(let cancel): self.init(.cancel, .string(cancel.domain.value))
    case .fetch(let fetch): self.init(.fetch, .string(fetch.entity.rawValue))
    case .change: self.init(.change)
    case .save: self.init(.save)
    case .rollback: self.init(.rollback)
    case .reopen: self.init(.reopen)
    case .tweak(let tweak): self.init(.tweak, tweak == .none ? "none" : true)
    case .serialize(let response): self.init(.serialize, .string(response.url))
    case .advance(let time): self.init(.advance, .string(time.goldenForm))
    case .clearCache: self.init(.clearCache)
    case .call(let call):
      self.init(.call, .string(call.action.value))
      members["with"] = call.arguments
    }
  }

  private init(_ kind: StepKind, _ request: RequestStep) {
    self.init(kind, .string(request.entity.rawValue))
    if request.method != "GET" { members["method"] = .string(request.method) }
    members["urn"] = .string(request.urn)
  }
}

extension RecordedAction {
  /// The HTTP method of the request; nil if the action states neither a method nor an address.
  package var method: String? { text(of: "method") ?? members["urn"].map { _ in "GET" } }

  /// The action as text: `request Post, GET posts`.
  package var text: String {
    var text = kind.words
    var run = self.text(of: "run")
    if kind == .nextPage {
      run = self.text(of: kind.rawValue)
    } else if let value = self.text(of: kind.rawValue) {
      text += " \(value)"
    }
    if let method { text += ", \(method)\(self.text(of: "urn").map { " \($0)" } ?? "")" }
    if let arguments = members["with"] { text += " with \(arguments.compactText())" }
    if let name = self.text(of: "as") { text += " as \(name)" }
    if let run { text += ", run \(run)" }
    switch members["upTo"] {
    case .string(let all)?: text += ", \(all) pages"
    case let count?: text += ", up to \(count.compactText()) pages"
    case nil: break
    }
    return text
  }
}

extension RecordedAction {
  private func text(of key: String) -> String? {
    if case .string(let text)? = members[key] { text } else { nil }
  }
}

extension PageCount {
  /// The count in golden files; nil for one page, which they omit.
  fileprivate var goldenForm: JSONValue? {
    switch self {
    case .all: "all"
    case .upTo(1): nil
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
