/// A row that encodes its columns without a value as null. The code that Swift writes for `Encodable` types omits them, so that
/// a column would be unknown if it has no value in any row.
struct StoreRow<Columns: Encodable>: Encodable {
  let columns: Columns

  func encode(to encoder: any Encoder) throws { try columns.encode(to: RowEncoder(encoder: encoder)) }
}

/// An encoder of the columns of one row.
private struct RowEncoder: Encoder {
  let encoder: any Encoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { encoder.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(ColumnContainer(columns: encoder.container(keyedBy: type)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
  func singleValueContainer() -> any SingleValueEncodingContainer { encoder.singleValueContainer() }
}

/// A container that encodes nil as null.
private struct ColumnContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  var columns: KeyedEncodingContainer<Key>

  var codingPath: [any CodingKey] { columns.codingPath }

  /// Encodes an optional value, even if it is nil.
  private mutating func encodeColumn<Value: Encodable>(_ value: Value?, _ key: Key) throws {
    if let value { try columns.encode(value, forKey: key) } else { try columns.encodeNil(forKey: key) }
  }

  mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    try encodeColumn(value, key)
  }
  mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encodeColumn(value, key) }
  mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encodeColumn(value, key) }
  mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encodeColumn(value, key) }
  mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodeColumn(value, key) }
  mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encodeColumn(value, key) }
  mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodeColumn(value, key) }
  mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodeColumn(value, key) }
  mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodeColumn(value, key) }
  mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodeColumn(value, key) }
  mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodeColumn(value, key) }
  mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodeColumn(value, key) }
  mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodeColumn(value, key) }
  mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodeColumn(value, key) }
  mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodeColumn(value, key) }
  @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
  mutating func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try encodeColumn(value, key) }
  @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
  mutating func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try encodeColumn(value, key) }

  // All other values are encoded as they are.

  mutating func encodeNil(forKey key: Key) throws { try columns.encodeNil(forKey: key) }
  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try columns.encode(value, forKey: key)
  }
  mutating func encode(_ value: Bool, forKey key: Key) throws { try columns.encode(value, forKey: key) }
  mutating func encode(_ value: String, forKey key: Key) throws { try columns.encode(value, forKey: key) }
  mutating func encode(_ value: Double, forKey key: Key) throws { try columns.encode(value, forKey: key) }
  mutating func encode(_ value: Float, forKey key: Key) throws { try columns.encode(value, forKey: key) }
  mutating func encode(_ value: Int, forKey key: Key) throws { try columns.encode(value, forKey: key) }
  mutating func encode(_ value: Int8, forKey key: Key) throws { try columns.encode(value, forKey: key) }
  mutating func encode(_ value: Int16, forKey key: Key) throws { try columns.encode(value, forKey: key) }
  mutating func encode(_ value: Int32, forKey key: Key) throws { try columns.encode(value, forKey: key) }
  mutating func encode(_ value: Int64, forKey key: Key) throws { try columns.encode(value, forKey: key) }
  mutating func encode(_ value: UInt, forKey key: Key) throws { try columns.encode(value, forKey: key) }
  mutating func encode(_ value: UInt8, forKey key: Key) throws { try columns.encode(value, forKey: key) }
  mutating func encode(_ value: UInt16, forKey key: Key) throws { try columns.encode(value, forKey: key) }
  mutating func encode(_ value: UInt32, forKey key: Key) throws { try columns.encode(value, forKey: key) }
  mutating func encode(_ value: UInt64, forKey key: Key) throws { try columns.encode(value, forKey: key) }
  @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
  mutating func encode(_ value: Int128, forKey key: Key) throws { try columns.encode(value, forKey: key) }
  @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
  mutating func encode(_ value: UInt128, forKey key: Key) throws { try columns.encode(value, forKey: key) }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    columns.nestedContainer(keyedBy: keyType, forKey: key)
  }
  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    columns.nestedUnkeyedContainer(forKey: key)
  }
  mutating func superEncoder() -> any Encoder { columns.superEncoder() }
  mutating func superEncoder(forKey key: Key) -> any Encoder { columns.superEncoder(forKey: key) }
}
