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
}
