import Foundation
import RecordModel

extension AttributeValue {
  /// Whether an attribute of a type can hold the value.
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
  /// The value as every store gives it back. A relative URL has only its text: what it says together with its base; nil
  /// if that is nothing. Whatever an import or a model says is such a value already.
  var standingAlone: AttributeValue? {
    guard case .uri(let url) = self, url.baseURL != nil else { return self }
    return URL(exactly: url.absoluteString).map(AttributeValue.uri)
  }
}

extension AttributeValue {
  /// Whether stores can keep it: no number but a finite one.
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
  /// The value as stores keep it; nil if an attribute of the type cannot hold it.
  func storable(as type: AttributeType) -> AttributeValue? { fits(type) && isFinite ? standingAlone : nil }
}

extension AttributeType {
  /// Whether `AttributeValue.isFinite` may be false.
  var hasNumbersThatAreNotFinite: Bool {
    switch self {
    case .float, .double, .decimal, .date: true
    case .int16, .int32, .int64, .boolean, .string, .binary, .uuid, .uri, .transformable: false
    }
  }
}
