import Foundation
import JSONTree
import RecordModel
import Testing

@testable import XcodeModel

@Suite("Xcode models: what they say")
struct XcodeModelTests {
  @Test func aWholeModel() throws {
    let (model, problems) = ModelFolder.read(
      """
      <entity name="Post" representedClassName="App.Post" parentEntity="Item" syncable="YES" codeGenerationType="class">
        <attribute name="text" optional="YES" attributeType="String" syncable="YES">
          <userInfo>
            <entry key="MMRecordAttributeAlternateNameKey" value="content.body"/>
            <entry key="color" value="red"/>
          </userInfo>
        </attribute>
        <relationship name="user" minCount="1" maxCount="1" deletionRule="Deny" destinationEntity="User" inverseName="posts" inverseEntity="User">
          <userInfo><entry key="MMRecordAttributeAlternateNameKey" value="author"/></userInfo>
        </relationship>
      </entity>
      <entity name="Item" representedClassName=".Item" isAbstract="YES">
        <attribute name="id" attributeType="Integer 64" defaultValueString="0" usesScalarValueType="YES"/>
        <userInfo><entry key="MMRecordEntityPrimaryAttributeKey" value="id"/></userInfo>
        <fetchIndex name="byId"><fetchIndexElement property="id" type="Binary" order="ascending"/></fetchIndex>
      </entity>
      <entity name="User" representedClassName="NSManagedObject" elementID="Person">
        <relationship name="posts" optional="YES" toMany="YES" minCount="1" maxCount="9" ordered="YES" deletionRule="Cascade" destinationEntity="Post" inverseName="user" inverseEntity="Post"/>
        <relationship name="friends" optional="YES" toMany="YES" deletionRule="No Action" destinationEntity="User"/>
        <relationship name="boss" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="User"/>
      </entity>
      <fetchRequest name="All" entity="Post" predicateString="TRUEPREDICATE"/>
      <configuration name="Default"/>
      <elements><element name="Post" positionX="0" positionY="0" width="1" height="1"/></elements>
      """)
    #expect(problems.isEmpty)
    #expect(
      model.entities == [
        EntityDescription(
          "Post", className: "App.Post", parent: "Item",
          attributes: [AttributeDescription("text", .string, from: ["content.body"])],
          relationships: [
            RelationshipDescription(
              "user", to: "User", inverse: "posts", isOptional: false, deleteRule: .deny, from: ["author"])
          ]),
        EntityDescription(
          "Item", className: ".Item", isAbstract: true, primaryKey: "id",
          attributes: [AttributeDescription("id", .int64, default: 0, isOptional: false)]),
        EntityDescription(
          "User", renamingIdentifier: "Person",
          relationships: [
            RelationshipDescription(
              "posts", to: "Post", isToMany: true, inverse: "user", isOrdered: true, minCount: 1, maxCount: 9,
              deleteRule: .cascade),
            RelationshipDescription("friends", to: "User", isToMany: true, deleteRule: .noAction),
            RelationshipDescription("boss", to: "User"),
          ]),
      ])

    let lines: [(pointer: [String], line: Int?)] = [
      (["entities", "Post"], 2), (["entities", "Post", "attributes", "text"], 3),
      (["entities", "Post", "attributes", "text", "from"], 5),
      (["entities", "Post", "attributes", "text", "default"], 3),
      (["entities", "Post", "relationships", "user", "inverse"], 9),
      (["entities", "Item", "primaryKey"], 15),
      (["entities", "Item", "dateFormat"], 13), (["entities", "Tag"], nil), ([], nil),
    ]
    for (pointer, line) in lines {
      #expect(model.line(of: JSONPointer(tokens: pointer)) == line, "\(pointer)")
    }
    #expect(model.file.hasSuffix("contents"))
    #expect(String(decoding: model.bytes, as: UTF8.self).hasPrefix("<model type="))
  }

  static let attributes: [(written: String, expected: AttributeDescription)] = [
    (#"attributeType="Integer 16" optional="YES""#, AttributeDescription("a", .int16)),
    (#"attributeType="Integer 32""#, AttributeDescription("a", .int32, isOptional: false)),
    (
      #"attributeType="Integer 64" defaultValueString="-5""#,
      AttributeDescription("a", .int64, default: -5, isOptional: false)
    ),
    (
      #"attributeType="Float" defaultValueString="0.0" optional="YES""#,
      AttributeDescription("a", .float, default: 0)
    ),
    (
      #"attributeType="Double" defaultValueString="1.5e3" optional="YES""#,
      AttributeDescription("a", .double, default: 1500)
    ),
    (
      #"attributeType="Decimal" defaultValueString="12.345678901234567890123" optional="YES""#,
      AttributeDescription(
        "a", .decimal, default: JSONNumber(digits: "12.345678901234567890123").map(JSONValue.number))
    ),
    (
      #"attributeType="Boolean" defaultValueString="YES" optional="YES""#,
      AttributeDescription("a", .boolean, default: true)
    ),
    (
      #"attributeType="Boolean" defaultValueString="NO" optional="NO""#,
      AttributeDescription("a", .boolean, default: false, isOptional: false)
    ),
    (
      #"attributeType="String" defaultValueString="a &amp; &lt;b&gt; ü" optional="YES""#,
      AttributeDescription("a", .string, default: "a & <b> ü")
    ),
    (
      #"attributeType="String" defaultValueString="" optional="YES""#,
      AttributeDescription("a", .string, default: "")
    ),
    (#"attributeType="UUID" defaultValueString="" optional="YES""#, AttributeDescription("a", .uuid)),
    // Defaults of a former type.
    (
      #"attributeType="Integer 64" defaultValueString="NO" optional="YES""#,
      AttributeDescription("a", .int64, default: 0)
    ),
    (
      #"attributeType="Boolean" defaultValueString="0.0" optional="YES""#,
      AttributeDescription("a", .boolean, default: false)
    ),
    (
      #"attributeType="Date" defaultDateTimeInterval="0" optional="YES" usesScalarValueType="NO""#,
      AttributeDescription("a", .date, default: "2001-01-01T00:00:00Z")
    ),
    (
      #"attributeType="Date" defaultDateTimeInterval="-978307200" optional="YES""#,
      AttributeDescription("a", .date, default: "1970-01-01T00:00:00Z")
    ),
    (
      #"attributeType="Date" defaultDateTimeInterval="631108800.25" optional="YES""#,
      AttributeDescription("a", .date, default: "2020-12-31T12:00:00.25Z")
    ),
    (
      #"attributeType="Binary" allowsExternalBinaryDataStorage="YES" optional="YES""#,
      AttributeDescription("a", .binary)
    ),
    (
      #"attributeType="UUID" defaultValueString="9F1F8A4A-0B0C-4B0A-8A67-7B1B1E9D1B11" optional="YES""#,
      AttributeDescription("a", .uuid, default: "9F1F8A4A-0B0C-4B0A-8A67-7B1B1E9D1B11")
    ),
    (
      #"attributeType="URI" defaultValueString="https://a.test/" optional="YES""#,
      AttributeDescription("a", .uri, default: "https://a.test/")
    ),
    (
      #"attributeType="Transformable" valueTransformerName="Color" optional="YES""#,
      AttributeDescription("a", .transformable, transformer: "Color")
    ),
    (
      #"attributeType="Transformable" optional="YES" customClassName="UIColor""#,
      AttributeDescription("a", .transformable)
    ),
    (
      #"attributeType="String" valueTransformerName="Color" optional="YES""#,
      AttributeDescription("a", .string)
    ),
  ]

  @Test(arguments: attributes)
  func attribute(written: String, expected: AttributeDescription) throws {
    let (model, problems) = ModelFolder.read(
      "<entity name=\"E\"><attribute name=\"a\" \(written)/></entity>")
    #expect(problems.isEmpty)
    #expect(model.entities == [EntityDescription("E", attributes: [expected])])
  }

  static let relationships: [(written: String, expected: RelationshipDescription)] = [
    (#"destinationEntity="F""#, RelationshipDescription("r", to: "F", isOptional: false)),
    (
      #"destinationEntity="F" optional="YES" minCount="1" maxCount="1""#,
      RelationshipDescription("r", to: "F")
    ),
    (
      #"destinationEntity="F" optional="YES" toMany="YES""#,
      RelationshipDescription("r", to: "F", isToMany: true)
    ),
    (
      #"destinationEntity="F" optional="YES" toMany="NO" ordered="YES""#,
      RelationshipDescription("r", to: "F")
    ),
    (
      #"destinationEntity="F" optional="YES" toMany="YES" maxCount="1""#,
      RelationshipDescription("r", to: "F", isToMany: true, maxCount: 1)
    ),
    (
      #"destinationEntity="F" optional="YES" inverseName="x" deletionRule="Deny""#,
      RelationshipDescription("r", to: "F", inverse: "x", deleteRule: .deny)
    ),
  ]

  @Test(arguments: relationships)
  func relationship(written: String, expected: RelationshipDescription) throws {
    let (model, problems) = ModelFolder.read(
      "<entity name=\"E\"><relationship name=\"r\" \(written)/></entity>")
    #expect(problems.isEmpty)
    #expect(model.entities == [EntityDescription("E", relationships: [expected])])
  }

  @Test func entitiesKeepTheOrderOfTheFile() throws {
    let names = (0..<50).map { "E\($0 * 7 % 50)" }
    let (model, _) = ModelFolder.read(names.map { "<entity name=\"\($0)\"/>" }.joined(separator: "\n"))
    #expect(model.entities.map(\.name.rawValue) == names)
    #expect(model.line(of: JSONPointer(tokens: ["entities", names[49]])) == 51)
  }

  /// Contents of the entity that starts on line 2, with the expected problems.
  static let mistakes: [(written: String, problems: [String])] = [
    (
      #"<attribute name="a" attributeType="Integer 46" optional="YES"/>"#,
      ["error attribute-type :2: unknown type 'Integer 46' for 'a'; did you mean 'Integer 16'?"]
    ),
    (
      #"<attribute name="a" attributeType="Undefined"/>"#,
      ["error attribute-type :2: unknown type 'Undefined' for 'a'; choose a type in Xcode"]
    ),
    (#"<attribute name="a"/>"#, ["error attribute-type :2: 'a' has no type; choose one in Xcode"]),
    (
      #"<attribute attributeType="String"/><relationship destinationEntity="E"/>"#,
      [
        "error missing-name :2: missing name of the attribute",
        "error missing-name :2: missing name of the relationship",
      ]
    ),
    (
      #"<attribute name="a" attributeType="Undefined" transient="YES"/>"#,
      [
        "warning left-out :2: the transient attribute 'a' is ignored; transient attributes are not stored; set the value in the record class"
      ]
    ),
    (
      #"<attribute name="a" attributeType="Integer 64" derived="YES" derivationExpression="b.@count"/>"#,
      ["warning left-out :2: the derived attribute 'a' is ignored; derived values are not computed"]
    ),
    (
      #"<attribute name="a" attributeType="Composite" elementType="Address"/>"#,
      [
        "warning left-out :2: the composite attribute 'a' is ignored; replace it with one attribute for each part, or with a transformable attribute"
      ]
    ),
    (
      #"<fetchedProperty name="f"><fetchRequest entity="E"/></fetchedProperty>"#,
      [
        "warning left-out :2: the fetched property 'f' is ignored; responses do not contain fetched properties"
      ]
    ),
    (
      #"<uniquenessConstraints><uniquenessConstraint><constraint value="a"/><constraint value="b"/></uniquenessConstraint></uniquenessConstraints>"#,
      [
        "warning not-enforced :2: the uniqueness constraints of 'E' are not enforced; name the attribute that identifies a record in the user info of the entity, with the key MMRecordEntityPrimaryAttributeKey"
      ]
    ),
    (
      #"<attribute name="a" attributeType="Integer 16" minValueString="1"/>"#,
      [
        "warning not-enforced :2: the validation of 'a' is not enforced; Core Data refuses values outside its limits"
      ]
    ),
    (
      #"<attribute name="a" attributeType="Integer 16" defaultValueString="one"/>"#,
      [
        "warning default-value :2: the default 'one' is ignored, because the type is int16; delete it in Xcode, or change it"
      ]
    ),
    (
      #"<attribute name="a" attributeType="Boolean" defaultValueString="maybe"/>"#,
      [
        "warning default-value :2: the default 'maybe' is ignored, because the type is boolean; delete it in Xcode, or change it"
      ]
    ),
    (
      #"<attribute name="a" attributeType="Date" defaultDateTimeInterval="today"/>"#,
      [
        "warning default-value :2: the default 'today' is ignored, because it is not a date in seconds since 2001; delete it in Xcode, or change it"
      ]
    ),
    (
      #"<attribute name="a" attributeType="Date" defaultDateTimeInterval="1e999"/>"#,
      [
        "warning default-value :2: the default '1e999' is ignored, because it is not a date in seconds since 2001; delete it in Xcode, or change it"
      ]
    ),
    (
      #"<attribute name="a" attributeType="Binary" defaultValueString="AAAA"/>"#,
      [
        "warning default-value :2: the default 'AAAA' is ignored, because the type is binary; delete it in Xcode, or change it"
      ]
    ),
    (
      #"<relationship name="r"/>"#,
      ["error unknown-destination :2: 'r' has no destination; choose an entity in Xcode"]
    ),
    (
      #"<relationship name="r" destinationEntity="E" deletionRule="Cascad"/>"#,
      ["error delete-rule :2: unknown delete rule 'Cascad' for 'r'; did you mean 'Cascade'?"]
    ),
    (
      #"<relationship name="r" destinationEntity="E" toMany="YES" minCount="-1" maxCount="many"/>"#,
      [
        "error count :2: 'minCount' must be an integer from 0, not '-1'",
        "error count :2: 'maxCount' must be an integer from 0, not 'many'",
      ]
    ),
    (
      "<attribute name=\"a\" attributeType=\"String\"/>\n<relationship name=\"a\" destinationEntity=\"E\"/>",
      ["error duplicate-property :3: duplicate property 'a' in 'E', first declared on line 2"]
    ),
    (
      "<userInfo>\n<entry key=\"MMRecordEntityPrimaryAttributKey\" value=\"id\"/>\n</userInfo>",
      [
        "warning user-info :3: unknown user info key 'MMRecordEntityPrimaryAttributKey'; did you mean 'MMRecordEntityPrimaryAttributeKey'?"
      ]
    ),
    (
      #"<userInfo><entry key="MMRecordAttributeAlternateNameKey" value="id"/></userInfo>"#,
      [
        "warning user-info :2: 'MMRecordAttributeAlternateNameKey' is ignored here; it belongs to an attribute or a relationship"
      ]
    ),
    (
      #"<userInfo><entry key="MMRecordEntityPrimaryAttributeKey" value=""/></userInfo>"#,
      ["error primary-key :2: the primary key must name a property"]
    ),
    (
      #"<userInfo><entry key="MMRecordX" value=""/><entry key="mine" value="1"/><entry/></userInfo>"#,
      ["warning user-info :2: unknown user info key 'MMRecordX'"]
    ),
    (
      #"<attribute name="a" attributeType="String"><userInfo><entry key="MMRecordAttributeAlternateNameKey" value="a..b"/></userInfo></attribute>"#,
      ["error mapping-path :2: missing key before '.'"]
    ),
    (
      #"<relationship name="r" destinationEntity="E"><userInfo><entry key="MMRecordEntityPrimaryAttributeKey" value="id"/></userInfo></relationship>"#,
      [
        "warning user-info :2: 'MMRecordEntityPrimaryAttributeKey' is ignored here; it belongs to an entity"
      ]
    ),
    (
      #"<attribute name="a" attributeType="Date"><userInfo><entry key="dateFormat" value="yyyy"/></userInfo></attribute>"#,
      ["warning user-info :2: the user info 'dateFormat' is ignored; declare it with 'dateFormat'"]
    ),
    (
      #"<relationship name="r" destinationEntity="E" transient="YES"/>"#,
      ["warning left-out :2: the transient relationship 'r' is stored; only attributes can be transient"]
    ),
    (
      #"<method name="x"/>"#,
      ["warning unknown-element :2: unknown element 'method' of an entity is ignored"]
    ),
  ]

  @Test(arguments: mistakes)
  func reports(written: String, problems: [String]) throws {
    let (model, found) = ModelFolder.read("<entity name=\"E\">\(written)</entity>")
    #expect(
      found == problems.map { $0.replacing(" :", with: " contents:", maxReplacements: 1) })
    #expect(model.entities.map(\.name) == ["E"])
    for problem in model.problems { #expect(problem.problem.path.tokens.prefix(2) == ["entities", "E"]) }
  }

  private static func info(_ entries: String...) -> String {
    let entries = entries.map { $0.split(separator: "=") }
    return "<userInfo>"
      + entries.map { "<entry key=\"\($0[0])\" value=\"\($0[1])\"/>" }.joined() + "</userInfo>"
  }

  private static func constraints(_ names: String...) -> String {
    let constraints = names.map { "<constraint value=\"\($0)\"/>" }
    return "<uniquenessConstraints>"
      + constraints.map { "<uniquenessConstraint>\($0)</uniquenessConstraint>" }.joined()
      + "</uniquenessConstraints>"
  }

  @Test(
    arguments: [
      (info("identityAttributes=shop, number"), ["shop", "number"]),
      (info("identityAttribute=id"), ["id"]),
      (info("relatedByAttribute=id"), ["id"]),
      (info("sync.primaryKey=id"), ["id"]),
      (info("relatedByAttribute=other", "MMRecordEntityPrimaryAttributeKey=id"), ["id"]),
      (
        "<attribute name=\"number\" attributeType=\"String\">" + info("hyper.isPrimaryKey=YES")
          + "</attribute>",
        ["number"]
      ),
      (constraints("id"), ["id"]),
      (constraints("id", "number"), []),
      (constraints("id") + info("identityAttribute=number"), ["number"]),
    ] as [(String, [PropertyName])])
  func primaryKeys(written: String, key: [PropertyName]) {
    #expect(ModelFolder.read("<entity name=\"E\">\(written)</entity>").model.entities[0].primaryKey == key)
  }

  @Test func aConstraintIsNoKeyBesideTheKeyOfAnAncestor() {
    let (model, problems) = ModelFolder.read(
      """
      <entity name="B" parentEntity="A">\(Self.constraints("number"))</entity>
      <entity name="A">\(Self.info("identityAttribute=id"))</entity>
      """)
    #expect(model.entities.map(\.primaryKey) == [[], ["id"]])
    #expect(
      problems == [
        "warning not-enforced contents:2: the uniqueness constraints of 'B' are not enforced; records are identified by their primary key"
      ])
  }

  @Test(arguments: ["JSONKeyPath", "mappedKeyName", "sync.remoteKey", "hyper.remoteKey"])
  func namesOfOtherLibrariesAreRead(key: String) {
    let info = Self.info("\(key)=full.name")
    let (model, problems) = ModelFolder.read(
      "<entity name=\"E\"><attribute name=\"a\" attributeType=\"String\">\(info)</attribute></entity>")
    #expect(model.entities[0].attributes[0].from == ["full.name"])
    #expect(problems == [])
  }

  @Test func reportsEverythingAtOnce() throws {
    let (model, problems) = ModelFolder.read(
      """
      <entity name="A"><attribute name="x" attributeType="Strang"/></entity>
      <entity/>
      <entity name="A"><attribute name="y" attributeType="Nope"/></entity>
      <strange/>
      <entity name="B">
        <relationship name="r" deletionRule="Boom"/>
      </entity>
      """)
    #expect(
      problems == [
        "error attribute-type contents:2: unknown type 'Strang' for 'x'; did you mean 'String'?",
        "error missing-name contents:3: missing name of the entity",
        "error duplicate-entity contents:4: duplicate entity 'A', first declared on line 2",
        "warning unknown-element contents:5: unknown element 'strange' of a model is ignored",
        "error delete-rule contents:7: unknown delete rule 'Boom' for 'r'; use Nullify, Cascade, Deny or No Action",
        "error unknown-destination contents:7: 'r' has no destination; choose an entity in Xcode",
      ])
    #expect(model.entities.map(\.name) == ["A", "B"])
  }
}
