import Foundation
import JSONTree
import RecordEngine
import RecordModel
import Testing

@Suite struct RecordDescriptionTests {
  @Test func recordsShowTheirKeyAndValues() async throws {
    let container = try Shop.container([
      "products": [
        [
          "id": 7, "name": "A lamp with a text that is far too long to be shown", "rank": 3, "visits": 4,
          "price": 1.5,
          "weight": 2, "score": 3, "maker": ["id": "acme"], "labels": [["name": "a"], ["name": "b"]],
        ]
      ]
    ])
    let context = container.makeContext()
    let result = try await container.request(Shop.Product.self, urn: "products", context: context)
    let product = try #require(result.records.first)
    #expect(
      "\(product)"
        == #"Product/7 {id: 7, title: "A lamp with a text that is far too long …", stock: 0, rank: 3, visits: 4, price: 1.5, …}"#
    )
    #expect("\(try #require(product.maker))" == #"Maker/acme {id: "acme"}"#)
    #expect(
      product.debugDescription.hasPrefix(
        #"Product/7 {id: 7, title: "A lamp with a text that is far too long to be"#),
      "\(product.debugDescription)")
    #expect(
      product.debugDescription.hasSuffix(
        #"state: "open", maker: Maker/acme, labels: [Label/a, Label/b]} (record 1 of tree 0)"#),
      "\(product.debugDescription)")
    #expect(result.description == "1 record from the server (4 inserted)")
    var dumped = ""
    dump(result, to: &dumped)
    #expect(
      dumped.contains("served: RecordEngine.Served.network") && !dumped.contains("JSONDocument"), "\(dumped)")

    context.delete(product)
    #expect("\(product)" == "Product (deleted)")
  }

  @Test func recordsAreEqualByIdentity() throws {
    let container = try Shop.container()
    let context = container.makeContext()
    let product = try context.insert(Shop.Product.self)
    (product.id, product.title) = (1, "Lamp")
    try context.save()
    let same = try context.fetch(Shop.Product.self)
    let other = try container.makeContext().fetch(Shop.Product.self)
    #expect(same == [product])
    #expect(other != [product])
    #expect(Set(same + [product]).count == 1)
    // The attribute of the subclass hides the identity, which remains that of the object for `ForEach` and the like.
    #expect(product.id == 1)
    #expect(identity(of: product) == AnyHashable(ObjectIdentifier(product)))
  }

  private func identity<Value: Identifiable>(of value: Value) -> AnyHashable { AnyHashable(value.id) }

  @Test func valuesShowTheirContents() throws {
    let document = try JSONDocument(parsing: Array(#"{"a": [1, null], "b": "é"}"#.utf8))
    #expect("\(document.root)" == #"{"a":[1,null],"b":"é"}"#)
    #expect("\(document.root.value)" == #"{"a":[1,null],"b":"é"}"#)
    var dumped = ""
    dump(document.root, to: &dumped)
    #expect(dumped.contains("a: ") && !dumped.contains("tape"), "\(dumped)")
  }

  /// Returns a context for owners with a composite key and related records that they identify.
  private func ownerContext() throws -> ManagedObjectContext {
    try PersistentContainer(
      model: ManagedObjectModel(entities: [
        EntityDescription(
          "Owner", primaryKey: "list", "number",
          attributes: [
            AttributeDescription("list", .string), AttributeDescription("number", .int32),
            AttributeDescription("a", .transformable), AttributeDescription("b", .transformable),
            AttributeDescription("c", .int32), AttributeDescription("d", .int32),
          ],
          relationships: [
            RelationshipDescription("counts", to: "Counts", inverse: "owner"),
            RelationshipDescription("notes", toMany: "Note"),
            RelationshipDescription("others", toMany: "Note"),
          ]),
        EntityDescription(
          "Counts", primaryKey: "owner",
          relationships: [
            RelationshipDescription("owner", to: "Owner", inverse: "counts"),
            RelationshipDescription("details", to: "Details", inverse: "counts"),
          ]),
        EntityDescription(
          "Details", primaryKey: "counts",
          relationships: [RelationshipDescription("counts", to: "Counts", inverse: "details")]),
        EntityDescription("Note"),
      ])
    ).makeContext()
  }

  /// Only what is longer than a limit is shortened.
  @Test func longValuesAreShortened() throws {
    let context = try ownerContext()
    let owner = try context.insert("Owner")
    let text = String(repeating: "a", count: 40)
    (owner["list"], owner["number"]) = (text, 3)
    owner["a"] = JSONValue.array(Array(repeating: 1, count: 18) + [22])
    owner["b"] = JSONValue.array(Array(repeating: 1, count: 21))
    let ones = String(repeating: "1,", count: 19)
    let start = "Owner/\(text),3 {list: \"\(text)\", number: 3, a: [\(ones.dropLast(2))22], b: [\(ones)1…"
    #expect("\(owner)" == start + "}")
    (owner["c"], owner["d"]) = (5, 6)
    #expect("\(owner)" == start + ", c: 5, d: 6}")
  }

  /// A description for the debugger shows the unsaved state, and at most ten members.
  @Test func debugDescriptionsShowRelationshipsAndTheState() throws {
    let context = try ownerContext()
    let owner = try context.insert("Owner")
    (owner["list"], owner["number"]) = ("a", 3)
    let (counts, details) = (try context.insert("Counts"), try context.insert("Details"))
    #expect("\(counts)" == "Counts {}")
    counts["owner"] = owner
    details["counts"] = counts
    // The key of an owner is shown only if it consists of attributes.
    #expect("\(counts)" == "Counts@Owner/a,3 {}" && "\(details)" == "Details {}")
    for _ in 0..<10 { owner.add(try context.insert("Note"), to: "notes") }
    let notes = Array(repeating: "Note", count: 10).joined(separator: ", ")
    let start = #"Owner/a,3 {list: "a", number: 3, counts: Counts@Owner/a,3, notes: [\#(notes)"#
    #expect(owner.debugDescription == start + "]} (\(owner.recordID), inserted)")
    try context.save()
    #expect(owner.debugDescription == start + "]} (\(owner.recordID))")
    for _ in 0..<2 { owner.add(try context.insert("Note"), to: "notes") }
    #expect(owner.debugDescription == start + ", … 2 more]} (\(owner.recordID), updated)")
  }
}
