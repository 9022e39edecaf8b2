extension ValueEncoder {
  struct MemberContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    private func set(_ slot: Slot, _ key: some CodingKey) {
      guard case .members(var slots) = encoder.content else { return }
      // Without a second reference, the array grows in place instead of being copied.
      encoder.content = .nothing
      slots.append((key.stringValue, slot))
      encoder.content = .members(slots)
    }

    func encodeNil(forKey key: Key) { set(.value(.null), key) }
    func encode(_ value: Bool, forKey key: Key) { set(.value(.bool(value)), key) }
    func encode(_ value: String, forKey key: Key) { set(.value(.string(value)), key) }
    func encode(_ value: Double, forKey key: Key) throws {
      set(.value(try number(value, below: encoder.path, key: key)), key)
    }
    func encode(_ value: Float, forKey key: Key) throws {
      set(.value(try number(widened(value), below: encoder.path, key: key)), key)
    }
    func encode(_ value: Int, forKey key: Key) { set(.value(integer(value)), key) }
    func encode(_ value: Int8, forKey key: Key) { set(.value(integer(value)), key) }
    func encode(_ value: Int16, forKey key: Key) { set(.value(integer(value)), key) }
    func encode(_ value: Int32, forKey key: Key) { set(.value(integer(value)), key) }
    func encode(_ value: Int64, forKey key: Key) { set(.value(integer(value)), key) }
    func encode(_ value: UInt, forKey key: Key) { set(.value(integer(value)), key) }
    func encode(_ value: UInt8, forKey key: Key) { set(.value(integer(value)), key) }
    func encode(_ value: UInt16, forKey key: Key) { set(.value(integer(value)), key) }
    func encode(_ value: UInt32, forKey key: Key) { set(.value(integer(value)), key) }
    func encode(_ value: UInt64, forKey key: Key) { set(.value(integer(value)), key) }
    func encode(_ value: some Encodable, forKey key: Key) throws {
      set(.value(try encoder.encodeMember(value, key: key)), key)
    }

    private func child(_ key: some CodingKey) -> ValueEncoder {
      let child = ValueEncoder(encoder.path.adding(key), encoder.parts)
      set(.pending(child), key)
      return child
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      child(key).container(keyedBy: keyType)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      child(key).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { child(SuperKey()) }
    func superEncoder(forKey key: Key) -> any Encoder { child(key) }
  }

  struct ElementContainer: UnkeyedEncodingContainer {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int {
      if case .elements(let slots) = encoder.content { slots.count } else { 0 }
    }

    private func append(_ slot: Slot) {
      guard case .elements(var slots) = encoder.content else { return }
      encoder.content = .nothing
      slots.append(slot)
      encoder.content = .elements(slots)
    }

    private var nextKey: IndexKey { IndexKey(index: count) }

    func encodeNil() { append(.value(.null)) }
    func encode(_ value: Bool) { append(.value(.bool(value))) }
    func encode(_ value: String) { append(.value(.string(value))) }
    func encode(_ value: Double) throws {
      append(.value(try number(value, below: encoder.path, key: nextKey)))
    }
    func encode(_ value: Float) throws { try encode(widened(value)) }
    func encode(_ value: Int) { append(.value(integer(value))) }
    func encode(_ value: Int8) { append(.value(integer(value))) }
    func encode(_ value: Int16) { append(.value(integer(value))) }
    func encode(_ value: Int32) { append(.value(integer(value))) }
    func encode(_ value: Int64) { append(.value(integer(value))) }
    func encode(_ value: UInt) { append(.value(integer(value))) }
    func encode(_ value: UInt8) { append(.value(integer(value))) }
    func encode(_ value: UInt16) { append(.value(integer(value))) }
    func encode(_ value: UInt32) { append(.value(integer(value))) }
    func encode(_ value: UInt64) { append(.value(integer(value))) }
    func encode(_ value: some Encodable) throws {
      append(.value(try encoder.encodeElement(value, key: nextKey)))
    }

    private func child() -> ValueEncoder {
      let child = ValueEncoder(encoder.path.adding(nextKey), encoder.parts)
      append(.pending(child))
      return child
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy keyType: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
      child().container(keyedBy: keyType)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { child().unkeyedContainer() }
    func superEncoder() -> any Encoder { child() }
  }

  struct SingleContainer: SingleValueEncodingContainer {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    private func set(_ value: JSONValue) { encoder.content = .single(value) }

    func encodeNil() { set(.null) }
    func encode(_ value: Bool) { set(.bool(value)) }
    func encode(_ value: String) { set(.string(value)) }
    func encode(_ value: Double) throws {
      set(try number(value, below: encoder.path, key: nil))
    }
    func encode(_ value: Float) throws { try encode(widened(value)) }
    func encode(_ value: Int) { set(integer(value)) }
    func encode(_ value: Int8) { set(integer(value)) }
    func encode(_ value: Int16) { set(integer(value)) }
    func encode(_ value: Int32) { set(integer(value)) }
    func encode(_ value: Int64) { set(integer(value)) }
    func encode(_ value: UInt) { set(integer(value)) }
    func encode(_ value: UInt8) { set(integer(value)) }
    func encode(_ value: UInt16) { set(integer(value)) }
    func encode(_ value: UInt32) { set(integer(value)) }
    func encode(_ value: UInt64) { set(integer(value)) }
    func encode(_ value: some Encodable) throws {
      set(try ValueEncoder.encode(value, below: encoder.path, key: nil, encoder.parts))
    }
  }

  private struct IndexKey: CodingKey {
    let index: Int
    var stringValue: String { "Index \(index)" }
    var intValue: Int? { index }
    init(index: Int) { self.index = index }
    init?(stringValue: String) { nil }
    init?(intValue: Int) { index = intValue }
  }

  private struct SuperKey: CodingKey {
    var stringValue: String { "super" }
    var intValue: Int? { nil }
    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
  }
}
