package import JSONTree
import ScenarioComparison
import ScenarioFormat

/// The parts of a page in HTML that needs no other file and no network. All data are elements of JSON, which the script of
/// the page reads. A page that was cut off therefore shows what it contains.
package enum HTMLPage {
  /// The text before the data.
  package static func start(title: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="\(policy)">
    <link rel="icon" href="data:,">
    <title>\(XMLText.escaped(DisplayText.oneLine(title)))</title>
    <style>
    \(text(of: PackageResources.report_css))
    </style>
    <script>
    \(scripts.map(text).joined(separator: "\n"))
    </script>
    </head>
    <body>
    <noscript><p class="empty">This report needs JavaScript. The reports <code>text</code> and <code>markdown</code> do
    not.</p></noscript>

    """
  }

  /// The policy, with which the page can load nothing and send nothing.
  private static let policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
    + "base-uri 'none'; form-action 'none'"

  /// The scripts, each of which uses those before it. The first declares the strict mode of all of them.
  private static let scripts = [
    PackageResources.elements_js, PackageResources.data_js, PackageResources.details_js,
    PackageResources.list_js, PackageResources.overview_js, PackageResources.text_js,
    PackageResources.drawing_js, PackageResources.records_js, PackageResources.provenance_js,
    PackageResources.steps_js, PackageResources.scenario_js, PackageResources.rules_js,
    PackageResources.report_js,
  ]

  private static func text(of file: [UInt8]) -> String { String(decoding: file, as: UTF8.self) }

  /// The text after the data.
  package static let end = "</body>\n</html>\n"

  /// Returns an element of data.
  ///
  /// - Parameters:
  ///   - id: the identifier of the element; nil for none. It consists of letters, digits and hyphens.
  ///   - kind: the class of the element; nil for none.
  package static func data(id: String? = nil, kind: String? = nil, _ value: JSONValue) -> String {
    let attributes = (kind.map { #" class="\#($0)""# } ?? "") + (id.map { #" id="\#($0)""# } ?? "")
    return #"<script type="application/json"\#(attributes)>\#(escaped(value.compactText()))</script>"# + "\n"
  }

  /// Returns JSON without the character `<`, so that no text in it can end an element. In JSON, the character occurs in
  /// strings only.
  private static func escaped(_ json: String) -> String {
    guard json.utf8.contains(UInt8(ascii: "<")) else { return json }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(json.utf8.count)
    for byte in json.utf8 {
      if byte == UInt8(ascii: "<") { bytes += Array("\\u003c".utf8) } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
