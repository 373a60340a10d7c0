import Foundation
import RecordModel
import Testing

@testable import XcodeModel

@Suite("Xcode models: files")
struct XcodeModelFileTests {
  private static func contents(_ entity: String) -> String { "<model><entity name=\"\(entity)\"/></model>" }

  private static func note(_ version: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(version)</string></dict></plist>
    """
  }

  private static func note(entries: String) -> String {
    "<plist version=\"1.0\"><dict>\(entries)</dict></plist>"
  }

  /// The files of a folder, the path that is read, and the entity that is found or the message.
  static let folders: [(files: [String: String], path: String, found: String)] = [
    (["A.xcdatamodeld/A.xcdatamodel/contents": contents("One")], "A.xcdatamodeld", "One"),
    (["A.xcdatamodeld/A.xcdatamodel/contents": contents("One")], "A.xcdatamodeld/", "One"),
    (["A.xcdatamodeld/A.xcdatamodel/contents": contents("One")], "A.xcdatamodeld/A.xcdatamodel", "One"),
    (
      [
        "A.xcdatamodeld/A.xcdatamodel/contents": contents("One"),
        "A.xcdatamodeld/A 2.xcdatamodel/contents": contents("Two"),
        "A.xcdatamodeld/.xccurrentversion": note("A 2.xcdatamodel"),
      ], "A.xcdatamodeld", "Two"
    ),
    (
      [
        "A.xcdatamodeld/A.xcdatamodel/contents": contents("One"),
        "A.xcdatamodeld/A 2.xcdatamodel/contents": contents("Two"),
        "A.xcdatamodeld/.xccurrentversion": note("A 2.xcdatamodel"),
      ], "A.xcdatamodeld/A.xcdatamodel", "One"
    ),
    (
      [
        "A.xcdatamodeld/A.xcdatamodel/contents": contents("One"),
        "A.xcdatamodeld/.xccurrentversion": note(entries: ""),
      ],
      "A.xcdatamodeld", "One"
    ),
    (
      [
        "A.xcdatamodeld/A.xcdatamodel/contents": contents("One"),
        "A.xcdatamodeld/A 2.xcdatamodel/contents": contents("Two"),
      ], "A.xcdatamodeld",
      "A.xcdatamodeld: the model has no current version; the versions are 'A 2.xcdatamodel', 'A.xcdatamodel'; choose the current version in Xcode, or name one of them"
    ),
    (
      [
        "A.xcdatamodeld/A.xcdatamodel/contents": contents("One"),
        "A.xcdatamodeld/.xccurrentversion": note("B.xcdatamodel"),
      ],
      "A.xcdatamodeld",
      "A.xcdatamodeld/.xccurrentversion: the current version 'B.xcdatamodel' does not exist; did you mean 'A.xcdatamodel'?"
    ),
    (
      [
        "A.xcdatamodeld/A.xcdatamodel/contents": contents("One"),
        "Other.xcdatamodel/contents": contents("Two"),
        "A.xcdatamodeld/.xccurrentversion": note("../Other.xcdatamodel"),
      ], "A.xcdatamodeld",
      "A.xcdatamodeld/.xccurrentversion: the current version '../Other.xcdatamodel' does not exist; the versions are 'A.xcdatamodel'"
    ),
    (
      [
        "A.xcdatamodeld/A.xcdatamodel/contents": contents("One"), "A.xcdatamodeld/.xccurrentversion": "what?",
      ],
      "A.xcdatamodeld",
      "A.xcdatamodeld/.xccurrentversion: the file is not a property list; choose the current version in Xcode"
    ),
    (
      [
        "A.xcdatamodeld/A.xcdatamodel/contents": contents("One"),
        "A.xcdatamodeld/.xccurrentversion": note(
          entries: "<key>_XCCurrentVersionName</key><integer>1</integer>"),
      ], "A.xcdatamodeld",
      "A.xcdatamodeld/.xccurrentversion: '_XCCurrentVersionName' is not a string; choose the current version in Xcode"
    ),
    (["A.xcdatamodeld/README": ""], "A.xcdatamodeld", "A.xcdatamodeld: the folder contains no .xcdatamodel"),
    ([:], "A.xcdatamodeld", "A.xcdatamodeld: the model does not exist"),
    ([:], "A.xcdatamodel", "A.xcdatamodel: the model does not exist"),
    (["A.xcdatamodeld": "text"], "A.xcdatamodeld", "A.xcdatamodeld: the folder cannot be read"),
    (
      ["A.xcdatamodel/elements": ""], "A.xcdatamodel",
      "A.xcdatamodel: the model has no file 'contents'; open and save it once in a current Xcode"
    ),
    (["A.xcdatamodel/contents/x": ""], "A.xcdatamodel", "A.xcdatamodel/contents: the file cannot be read"),
    (
      ["A.momd/A.mom": ""], "A.momd",
      "A.momd: this is a compiled model; name the .xcdatamodeld or .xcdatamodel folder of the app's sources"
    ),
    (
      ["A.yaml": ""], "A.yaml",
      "A.yaml: this is not an Xcode data model; name the .xcdatamodeld or .xcdatamodel folder of the app's sources"
    ),
  ]

  @Test(arguments: folders)
  func finds(files: [String: String], path: String, found: String) throws {
    let folder = try ModelFolder()
    for (name, text) in files { try folder.write(text, to: name) }
    let model = XcodeDataModel(at: folder.path + "/" + path)
    if let entity = model.entities.first {
      #expect(entity.name.rawValue == found)
      #expect(model.problems.isEmpty)
    } else {
      #expect(model.problems.map(folder.text) == ["error xcode-model-file \(found)"])
      #expect(model.bytes.isEmpty)
    }
  }

  static let documents: [(text: String, problem: String)] = [
    ("", "1: the file contains no XML; restore the file, or open and save the model in Xcode"),
    (
      "text",
      "1: the XML is incomplete, or has text after its end; restore the file, or open and save the model in Xcode"
    ),
    (
      "<model>\n<entity name=\"E\">\n</model>",
      "3: a start tag and an end tag do not match; restore the file, or open and save the model in Xcode"
    ),
    (
      "<model>\n<entity name=\"E\"/>\n",
      "2: the XML is incomplete, or has text after its end; restore the file, or open and save the model in Xcode"
    ),
    (
      "<model/>\n<<<<<<< HEAD",
      "2: the XML is incomplete, or has text after its end; restore the file, or open and save the model in Xcode"
    ),
    (
      "<model>\n<<<<<<< HEAD\n</model>",
      "2: the XML has an invalid tag; restore the file, or open and save the model in Xcode"
    ),
    (
      "<model>\n<entity name=\"E\" name=\"F\"/></model>",
      "2: an element has a duplicate attribute; restore the file, or open and save the model in Xcode"
    ),
    (
      "<model>\n<entity name=E/></model>",
      "2: an attribute has no value or no quotes; restore the file, or open and save the model in Xcode"
    ),
    (
      "<model>&what;</model>",
      "1: the XML uses an undeclared entity; restore the file, or open and save the model in Xcode"
    ),
    (
      "<plist version=\"1.0\"/>",
      "1: expected the element 'model', found 'plist'; name the folder of a Core Data model"
    ),
    ("<model>\n</model>", "1: the model has no entities"),
    (
      "<!DOCTYPE model [\n<!ENTITY a \"b\">\n<!ENTITY c \"&a;&a;\">]>\n<model>&c;</model>",
      "2: a model cannot contain an entity ('<!ENTITY'); restore the file, or open and save the model in Xcode"
    ),
    (
      "<!DOCTYPE model [\n<!ATTLIST model name CDATA #IMPLIED>]>\n<model/>",
      "2: a model cannot contain an attribute list ('<!ATTLIST'); restore the file, or open and save the model in Xcode"
    ),
    (
      "<!DOCTYPE model [<!NOTATION n SYSTEM \"x\">]><model/>",
      "1: a model cannot contain a notation ('<!NOTATION'); restore the file, or open and save the model in Xcode"
    ),
    (
      "<?xml version=\"1.0\"?>\n<?target?><model/>",
      "2: a model cannot contain a processing instruction ('<?'); restore the file, or open and save the model in Xcode"
    ),
    ("<?xml version=\"1.0\" encoding=\"UTF-7\"?><model/>", "1: the file is not in UTF-8; save it as UTF-8"),
    (
      "<?xml version=\"1.0\" encoding=\"UTF-7\" standalone=\"utf-8\"?><model/>",
      "1: the file is not in UTF-8; save it as UTF-8"
    ),
    (
      "\u{FEFF}<?xml version=\"1.0\" encoding='UTF-7'?><model/>",
      "1: the file is not in UTF-8; save it as UTF-8"
    ),
    ("<mo\0del/>", "1: the file is not in UTF-8; save it as UTF-8"),
  ]

  @Test(arguments: documents)
  func refuses(text: String, problem: String) {
    let model = XcodeDataModel(parsing: Array(text.utf8), file: "contents")
    let problems = model.problems.map {
      "\($0.line ?? 0): \($0.problem.message)" + ($0.problem.advice.map { "; \($0)" } ?? "")
    }
    #expect(problems == [problem])
    #expect(model.problems.allSatisfy { $0.problem.severity == .error })
    #expect(model.entities.isEmpty)
  }

  @Test func refusesOtherEncodings() throws {
    let folder = try ModelFolder()
    for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf32] {
      let data = try #require(Self.contents("E").data(using: encoding))
      try folder.write(data, to: "A.xcdatamodel/contents")
      #expect(
        XcodeDataModel(at: folder.path + "/A.xcdatamodel").problems.map(\.problem.message) == [
          "the file is not in UTF-8"
        ])
    }
    try folder.write(
      Data([0xEF, 0xBB, 0xBF]) + Data(Self.contents("Marked").utf8), to: "A.xcdatamodel/contents")
    #expect(XcodeDataModel(at: folder.path + "/A.xcdatamodel").entities.map(\.name) == ["Marked"])
  }

  /// A document that refers to another file is valid, and the other file is not read.
  @Test func readsNoOtherFile() throws {
    let folder = try ModelFolder()
    let other = try folder.write("<!ELEMENT model ANY>", to: "other.dtd")
    try folder.write(
      "<!DOCTYPE model SYSTEM \"\(other)\">\(Self.contents("E"))", to: "A.xcdatamodel/contents")
    #expect(XcodeDataModel(at: folder.path + "/A.xcdatamodel").entities.map(\.name) == ["E"])
  }

  @Test(arguments: [65, 300, 100_000])
  func boundsNesting(depth: Int) {
    let text = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    let problems = XcodeDataModel(parsing: Array(text.utf8), file: "contents").problems
    #expect(problems.map(\.problem.message) == ["elements are nested more than 64 levels deep"])
  }

  /// Models of random pieces have entities or problems, and never end the program.
  @Test func noFileStopsTheProgram() {
    var state: UInt64 = 41
    func random(below bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    let pieces = [
      "<model>", "</model>", "<entity name=\"E\">", "</entity>", "<entity name=\"F\"/>",
      "<attribute name=\"a\" attributeType=\"Date\"",
      " defaultDateTimeInterval=\"1\"", "/>", ">", "</attribute>", "<userInfo>", "</userInfo>",
      "<entry key=\"MMRecordEntityPrimaryAttributeKey\" value=\"a\"/>",
      "<relationship name=\"r\" destinationEntity=\"E\"/>", "\n", "&",
      "\"", "<", "<!--", "-->", "<![CDATA[", "]]>", "é", "<?x y?>", "<!DOCTYPE model>",
    ]
    for _ in 0..<5_000 {
      let text =
        "<model><entity name=\"E\">"
        + (0..<random(below: 12)).map { _ in pieces[random(below: pieces.count)] }.joined()
        + (random(below: 2) == 0 ? "</entity></model>" : "")
      let model = XcodeDataModel(parsing: Array(text.utf8), file: "contents")
      #expect(!model.entities.isEmpty || !model.problems.isEmpty, "\(text)")
      let count = text.utf8.count(where: { $0 == 0x0A }) + 1
      for problem in model.problems { #expect((1...count).contains(problem.line ?? 1), "\(text)") }
    }
  }
}
