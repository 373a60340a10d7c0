import Logging
import RecordEngine

// The example programs of the article on diagnostics. A test compares them with the article.

// Diagnostics begin
func report(_ failure: RequestFailure) -> [String] {
  var lines = ["\(failure)"]  // save-error Post.text /data/1: …
  if let dictionary = failure.recordDictionary { lines.append(dictionary.value.compactText()) }
  if let entity = failure.initialEntity { lines.append("\(entity) from \(failure.server ?? "no server")") }
  if let text = failure.responseText { lines.append("no records: \(text.prefix(80))") }
  return lines + failure.diagnostics.map(\.description)
}
// Diagnostics end

// Diagnostics begin
func strictOptions() -> RequestOptions {
  var options = RequestOptions()
  options.debugger = CodeDebugger(failOn: [.valueType, .missingPrimaryKey], ignore: [.emptyResultSet])
  return options
}
// Diagnostics end

// Diagnostics begin
struct StrictAboutPrices: Debugger {
  func severity(of diagnostic: Diagnostic) -> DiagnosticSeverity {
    diagnostic.property == "price" ? .failure : diagnostic.code.severity
  }
}
// Diagnostics end

// Diagnostics begin
func feedReport(_ container: PersistentContainer, _ context: ManagedObjectContext) async throws -> DriftReport
{
  var options = RequestOptions()
  options.reportsDrift = true
  var report = DriftReport()
  let request = RecordRequest<Record>(entity: "Post", urn: "feed", options: options)
  for try await page in container.pages(request, context: context) {
    if let drift = page.drift { report = report.merging(drift) }
  }
  return report
}
// Diagnostics end

// Diagnostics begin
func loggingContainer(_ model: ManagedObjectModel, server: any Server) throws -> PersistentContainer {
  var logger = Logger(label: "records")
  logger.logLevel = .debug
  return try PersistentContainer(model: model, configuration: .init(server: server, logger: logger))
}
// Diagnostics end
