import Foundation
import RecordEngine
import TrackerResponses

enum State: String, AttributeConvertible { case open, closed }

final class Issue: Record {
  @Field("number", isPrimaryKey: true) var number: Int
  @Field("title") var title = ""
  @Field("state") var state = State.open
  @Field("comments") var comments = 0
  @Field("createdAt", { ($0.from, $0.format) = (["created_at"], "iso8601") }) var createdAt: Date?
  @ToOne("author", inverse: "issues", { $0.from = ["user"] }) var author: User?
  @ToMany("labels", inverse: "issues", { $0.assignment = .replace }) var labels: [Label]
}

final class User: Record {
  @Field("login", isPrimaryKey: true) var login: String
  @Field("name") var name: String?
  @ToMany("issues", inverse: "author") var issues: [Issue]
}

final class Label: Record {
  @Field("name", isPrimaryKey: true) var name: String
  @ToMany("issues", inverse: "labels") var issues: [Issue]
}

func text(of issue: Issue) -> String {
  let labels = issue.labels.map(\.name).sorted().joined(separator: ", ")
  return
    "#\(issue.number) \(issue.title) by \(issue.author?.name ?? "?"), \(issue.comments) comments [\(labels)]"
}

let server = CannedServer([
  "issues?day=1": try JSONDocument(parsing: Array(TrackerResponses.firstDay.utf8)).root.value,
  "issues?day=2": try JSONDocument(parsing: Array(TrackerResponses.secondDay.utf8)).root.value,
])
let container = try PersistentContainer(
  Issue.self, User.self, Label.self,
  configuration: .init(store: .file(URL(filePath: "Tracker.sqlite")), server: server))
let context = container.makeContext()

// Each element has the open issues and what has changed since the last one.
let openIssues = try context.updates(
  of: Issue.self, where: \.$state == .open, sortedBy: .descending(\.$comments)
).makeAsyncIterator()
_ = try await openIssues.nextUpdate()

for day in 1...2 {
  let result = try await container.request(Issue.self, urn: "issues?day=\(day)", context: context)
  print("Day \(day): \(result.records.count) issues in the response")
  if let update = try await openIssues.nextUpdate() {
    for issue in update.records { print("  open: " + text(of: issue)) }
  }
}

let recent = try context.fetch(
  Issue.self, where: \.$author.$login == "grace" && \.$labels.count > 0, sortedBy: .descending(\.$createdAt))
print("By Grace:", recent.map(\.title))
for user in try context.fetch(User.self, sortedBy: .ascending(\.$login)) {
  print("\(user.name ?? user.login): \(user.issues.count) issues")
}
