import Foundation
import RecordModel

extension AttributeValue {
  /// Returns a Boolean value that indicates whether an attribute of a type can hold the value.
  func fits(_ type: AttributeType) -> Bool {
    switch (self, type) {
    case (.integer(let value), .int16): Int16(exactly: value) != nil
    case (.integer(let value), .int32): Int32(exactly: value) != nil
    case (.integer, .int64), (.double, .float), (.double, .double), (.decimal, .decimal),
      (.boolean, .boolean),
      (.string, .string), (.date, .date), (.binary, .binary), (.uuid, .uuid), (.uri, .uri),
      (.json, .transformable):
      true
    default: false
    }
  }
}

extension AttributeValue {
  /// The value as every store returns it. A URL with a base becomes a URL without a base, with its absolute string. The
  /// result is nil if that string is not a URL. The values of imports and models already have this form.
  var standingAlone: AttributeValue? {
    guard case .uri(let url) = self, url.baseURL != nil else { return self }
    return URL(exactly: url.absoluteString).map(AttributeValue.uri)
  }
}

extension AttributeValue {
  /// A Boolean value that indicates whether stores can store the value, which is false for numbers that are not finite.
  var isFinite: Bool {
    switch self {
    case .double(let value): value.isFinite
    case .decimal(let value): value.isFinite
    case .date(let value): value.timeIntervalSinceReferenceDate.isFinite
    case .integer, .boolean, .string, .binary, .uuid, .uri, .json: true
    }
  }
}

extension AttributeValue {
  /// Returns the value as stores contain it, or nil if an attribute of the type cannot hold it.
  func storable(as type: AttributeType) -> AttributeValue? { fits(type) && isFinite ? standingAlone : nil }
}

extension AttributeType {
  /// A Boolean value that indicates whether the type has values for which `AttributeValue.isFinite` is false.
  var hasNumbersThatAreNotFinite: Bool {
    switch self {
    case .float, .double, .decimal, .date: true
    case .int16, .int32, .int64, .boolean, .string, .binary, .uuid, .uri, .transformable: false
    }
  }
}
