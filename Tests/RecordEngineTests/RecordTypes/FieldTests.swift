import Foundation
import JSONTree
import RecordEngine
import RecordModel
import Testing

@Suite struct FieldTests {
  @Test func valuesOfAResponseAreRead() async throws {
    let body: JSONValue = [
      "id": 7, "name": "Lamp", "stock": 12, "rank": 200, "visits": 4_000_000_000, "price": 12.5,
      "weight": 1.5,
      "score": 0.25, "is_new": true, "created": "2031-02-03T04:05:06Z", "checksum": "AQI=",
      "token": "00000000-0000-0000-0000-000000000001", "page": "https://shop.test/7", "state": "closed",
      "former_state": "open", "size": ["width": 3, "height": 4.5], "raw": [1, "two"],
      "maker": ["id": "acme", "name": "Acme"], "labels": [["name": "b"], ["name": "a"]],
    ]
    let container = try Shop.container(["products/7": body])
    let result = try await container.request(
      Shop.Product.self, urn: "products/7", context: container.makeContext())
    let product = try #require(result.records.first)

    #expect(product.id == 7)
    #expect(product.title == "Lamp")
    #expect(product.stock == 12)
    #expect(product.rank == 200)
    #expect(product.visits == 4_000_000_000)
    #expect(product.price == 12.5)
    #expect(product.weight == 1.5)
    #expect(product.score == 0.25)
    #expect(product.isNew == true)
    #expect(product.created?.timeIntervalSince1970 == 1_927_857_906)
    #expect(product.checksum == Data([1, 2]))
    #expect(product.token?.uuidString == "00000000-0000-0000-0000-000000000001")
    #expect(product.page?.absoluteString == "https://shop.test/7")
    #expect(product.state == .closed)
    #expect(product.formerState == .open)
    #expect(product.size == Shop.Size(width: 3, height: 4.5))
    #expect(product.raw == [1, "two"])
    #expect(product.maker?.name == "Acme")
    #expect(product.maker?.products == [product])
    #expect(product.labels.map(\.name) == ["b", "a"])
    #expect(result.diagnostics.isEmpty)
  }

  @Test func valuesThatAreSetAreSaved() throws {
    let container = try Shop.container()
    let context = container.makeContext()
    let product = try context.insert(Shop.Product.self)
    let maker = try context.insert(Shop.Maker.self)
    maker.id = "acme"
    product.id = 1
    product.stock = -3
    product.rank = 255
    product.state = .closed
    product.size = Shop.Size(width: 1, height: 2)
    product.maker = maker
    product.title = "Lamp"
    product.title = nil
    try context.save()

    let saved = try #require(try container.makeContext().fetch(Shop.Product.self).first)
    #expect(saved.stock == -3)
    #expect(saved.rank == 255)
    #expect(saved.state == .closed)
    #expect(saved["state"] == "closed")
    #expect(saved.size == Shop.Size(width: 1, height: 2))
    #expect(saved.maker?.id == "acme")
    #expect(saved.title == nil)
  }

  @Test func valuesThatATypeCannotRepresent() async throws {
    let body: JSONValue = [
      "id": 1, "rank": 300, "state": "archived", "former_state": "archived", "size": ["width": "wide"],
    ]
    let container = try Shop.container(["products/1": body])
    let product = try #require(
      try await container.request(Shop.Product.self, urn: "products/1", context: container.makeContext())
        .records.first)

    #expect(product.rank == nil)
    #expect(product.formerState == nil)
    #expect(product.size == nil)
    #expect(product.state == .open)
    // The stored values are unchanged.
    #expect(product["rank"] == 300)
    #expect(product["state"] == "archived")
  }

  #if !os(iOS)
    @Test func aPropertyWithoutAValueStopsTheProgram() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let context = try Shop.container().makeContext()
        let product = try context.insert(Shop.Product.self)
        print(product.id)
      }
      let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(message.contains("'id' of Product {stock: 0, state: \"open\"} has no value"), "\(message)")
    }

    @Test func aValueThatDoesNotFitStopsTheProgram() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let context = try Shop.container().makeContext()
        try context.insert(Shop.Product.self)["stock"] = 70_000
      }
      let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(message.contains("'stock' of 'Product' is int16, and cannot be set to"), "\(message)")
    }
  #endif

  @Test func deletedRecordsHaveNoOptionalValues() throws {
    let context = try Shop.container().makeContext()
    let product = try context.insert(Shop.Product.self)
    product.title = "Lamp"
    context.delete(product)
    #expect(product.title == nil)
    #expect(product.state == .open)
    #expect(product.labels == [])
  }

  @Test func integersHaveAnAttributeType() {
    func check<Integer: AttributeConvertible & FixedWidthInteger>(
      _ type: Integer.Type, _ attributeType: AttributeType, representsAll: Bool
    ) {
      #expect(Integer.attributeType == attributeType)
      #expect(Integer.representsAllValues == representsAll)
      #expect(Integer(AttributeValue.integer(7))?.attributeValue == .integer(7))
      #expect((Integer(AttributeValue.integer(-1)) == nil) != Integer.isSigned)
      #expect(Integer(AttributeValue.string("7")) == nil)
    }
    check(Int.self, .int64, representsAll: true)
    check(Int8.self, .int16, representsAll: false)
    check(Int16.self, .int16, representsAll: true)
    check(Int32.self, .int32, representsAll: true)
    check(Int64.self, .int64, representsAll: true)
    check(UInt.self, .int64, representsAll: false)
    check(UInt8.self, .int16, representsAll: false)
    check(UInt16.self, .int32, representsAll: false)
    check(UInt32.self, .int64, representsAll: false)
    check(UInt64.self, .int64, representsAll: false)
  }
}
