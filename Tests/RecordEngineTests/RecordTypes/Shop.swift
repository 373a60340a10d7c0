import Foundation
import JSONTree
import RecordEngine
import RecordModel

/// Record types whose wrappers have every kind of value.
enum Shop {
  enum State: String, AttributeConvertible { case open, closed }

  struct Size: TransformableValue, Equatable {
    var width: Int
    var height: Double
  }

  final class Product: Record {
    @Field("id", isPrimaryKey: true) var id: Int
    @Field("title", { $0.from = ["name"] }) var title: String?
    @Field("stock") var stock: Int16 = 0
    @Field("rank") var rank: UInt8?
    @Field("visits") var visits: UInt32?
    @Field("price") var price: Decimal?
    @Field("weight") var weight: Float?
    @Field("score") var score: Double?
    @Field("is_new") var isNew: Bool?
    @Field("created", { $0.format = "iso8601" }) var created: Date?
    @Field("checksum") var checksum: Data?
    @Field("token") var token: UUID?
    @Field("page") var page: URL?
    @Field("state") var state: State = .open
    @Field("former_state") var formerState: State?
    @Field("size") var size: Size?
    @Field("raw") var raw: JSONValue?
    @ToOne("maker", inverse: "products") var maker: Maker?
    @ToMany("labels", inverse: "products", { $0.isOrdered = true }) var labels: [Label]
  }

  final class Maker: Record {
    @Field("id", isPrimaryKey: true) var id: String
    @Field("name") var name: String?
    @ToOne("country") var country: Label?
    @ToMany("products", inverse: "maker") var products: [Product]
  }

  final class Label: Record {
    @Field("name", isPrimaryKey: true) var name: String
    @ToMany("products", inverse: "labels") var products: [Product]
  }

  static func container(_ bodies: [String: JSONValue] = [:]) throws -> PersistentContainer {
    try PersistentContainer(
      Product.self, Maker.self, Label.self, configuration: .init(server: CannedServer(bodies)))
  }
}
