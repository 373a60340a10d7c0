import Foundation
import JSONTree
import RecordEngine
import RecordModel
import Testing

@Suite struct TypedFetchTests {
  typealias Product = Shop.Product
  let context: ManagedObjectContext

  init() throws {
    context = try Shop.container().makeContext()
    let maker = try context.insert(Shop.Maker.self)
    (maker.id, maker.name) = ("acme", "Acme")
    let labels = try ["a", "b", "c"].map { name in
      let label = try context.insert(Shop.Label.self)
      label.name = name
      return label
    }
    maker.country = labels[0]
    for id in 1...6 {
      let product = try context.insert(Product.self)
      (product.id, product.stock) = (id, Int16(id * 10))
      product.title = id == 6 ? nil : "Lamp \(id)"
      product.maker = id < 4 ? maker : nil
      product.state = id.isMultiple(of: 2) ? .open : .closed
      product.created = Date(timeIntervalSince1970: Double(id))
      product.labels = Array(labels.prefix(id % 4))
    }
  }

  private func ids(_ condition: TypedPredicate<Product>) throws -> [Int] {
    try context.fetch(Product.self, where: condition).map(\.id)
  }

  @Test func comparisons() throws {
    #expect(try ids(\.$stock == 30) == [3])
    #expect(try ids(\.$stock != 30) == [1, 2, 4, 5, 6])
    #expect(try ids(\.$stock < 30) == [1, 2])
    #expect(try ids(\.$stock <= 30) == [1, 2, 3])
    #expect(try ids(\.$stock > 30) == [4, 5, 6])
    #expect(try ids(\.$stock >= 30) == [3, 4, 5, 6])
    #expect(try ids(.between(\.$stock, 20...40)) == [2, 3, 4])
    #expect(try ids(.in(\.$id, [1, 5, 9])) == [1, 5])
    #expect(try ids(\.$title == nil) == [6])
    #expect(try ids(\.$title != nil) == [1, 2, 3, 4, 5])
    #expect(try ids(\.$state == .open) == [2, 4, 6])
    #expect(try ids(\.$created < Date(timeIntervalSince1970: 3)) == [1, 2])
  }

  @Test func texts() throws {
    #expect(try ids(.contains(\.$title, "p 3")) == [3])
    #expect(try ids(.contains(\.$title, "P 3")) == [])
    #expect(try ids(.contains(\.$title, "P 3", options: .caseInsensitive)) == [3])
    #expect(
      try ids(.beginsWith(\.$title, "lámp", options: [.caseInsensitive, .diacriticInsensitive])).count == 5)
    #expect(try ids(.endsWith(\.$title, "5")) == [5])
    // An argument is never a part of the language.
    #expect(try ids(.contains(\.$title, "' OR TRUEPREDICATE")) == [])
  }

  @Test func relationships() throws {
    #expect(try ids(\.$maker.$name == "Acme") == [1, 2, 3])
    #expect(try ids(\.$maker.$country.$name == "a") == [1, 2, 3])
    #expect(try ids(.exists(\.$maker)) == [1, 2, 3])
    #expect(try ids(!.exists(\.$maker)) == [4, 5, 6])
    #expect(try ids(\.$labels.count > 1) == [2, 3, 6])
    #expect(try ids(\.$labels.any.$name == "b") == [2, 3, 6])
    #expect(try ids(\.$labels.all.$name == "a") == [1, 4, 5])
    #expect(try ids(\.$labels.none.$name == "c") == [1, 2, 4, 5, 6])
  }

  @Test func logic() throws {
    #expect(try ids(\.$stock > 10 && \.$maker.$name == "Acme") == [2, 3])
    #expect(try ids(\.$id == 1 || \.$id == 6 || \.$id == 4) == [1, 4, 6])
    #expect(try ids((\.$id == 1 || \.$id == 2) && \.$state == .open) == [2])
    #expect(try ids(\.$id == 1 || \.$id == 2 && \.$state == .closed) == [1])
    #expect(try ids(!(\.$id > 1 && \.$id < 6)) == [1, 6])
    #expect(
      (\Product.$id == 1 || \Product.$id == 2 && !(\Product.$title == nil)).predicate.text
        == "id == 1 OR (id == 2 AND NOT (title == nil))")
  }

  @Test func order() throws {
    #expect(try context.fetch(Product.self, sortedBy: .descending(\.$stock)).map(\.id) == [6, 5, 4, 3, 2, 1])
    #expect(
      try context.fetch(Product.self, sortedBy: [.ascending(\.$state), .descending(\.$id)], limit: 2).map(
        \.id)
        == [5, 3])
    #expect(
      try context.fetch(
        Product.self, where: \.$id < 5, sortedBy: [.descending(\.$maker.$name), .ascending(\.$id)], offset: 1,
        limit: 3
      ).map(\.id) == [2, 3, 4])
    #expect(try context.count(of: Product.self, where: \.$stock > 20) == 4)
  }

  @Test func manyConditionsNeedNoDepth() throws {
    let conditions = (1...500).map { \Product.$id == $0 * 3 }
    let any = conditions.dropFirst().reduce(conditions[0]) { $0 || $1 }
    #expect(try ids(any) == [3, 6])
  }

  @Test func aValueThatPredicatesCannotExpressIsAnError() throws {
    #expect {
      try context.fetch(Product.self, where: \.$score == .nan)
    } throws: { error in
      "\(error)".contains("a predicate cannot contain this value")
    }
  }

  @Test func updatesFollowACondition() async throws {
    let updates = try context.updates(of: Product.self, where: \.$stock > 40).makeAsyncIterator()
    #expect(try await updates.nextUpdate()?.records.map(\.id) == [5, 6])
    try #require(try context.fetch(Product.self, where: \.$id == 1).first).stock = 99
    #expect(try await updates.nextUpdate()?.records.map(\.id) == [1, 5, 6])
    let all = try context.updates(of: Product.self, sortedBy: .descending(\.$id), limit: 2)
      .makeAsyncIterator()
    #expect(try await all.nextUpdate()?.records.map(\.id) == [6, 5])
  }
}
