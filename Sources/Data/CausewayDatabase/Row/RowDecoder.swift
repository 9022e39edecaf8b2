import Foundation

/// Decodes the current row of a result.
///
/// The same instance decodes all rows.
package final class RowDecoder: Decoder {
  private let values: RowConversion
  private let columns: ColumnNames
  package var codingPath: [any CodingKey] { [] }
  package var userInfo: [CodingUserInfoKey: Any] { [:] }
  /// The container that was used for the previous row.
  ///
  /// A type decodes every row through the same container.
  private var held: AnyObject?
  private var heldKey: ObjectIdentifier?

  package init(_ row: any RowValues) {
    values = RowConversion(row: row)
    columns = row.columns
  }

  /// Decodes the current row: a single value or a list from its first column, other types by column
  /// name.
  package func decode<T: Decodable>(_ type: T.Type, isStored: Bool) throws -> T {
    columns.beginRow()
    if isStored { return try decodeStored(type) }
    do {
      return try T(from: self)
    } catch is JSONExpected {
      // A list is the value of the first column.
      return try values.value(type, at: 0)
    }
  }

  // This is a separate function: if it were inlined, the metadata of its optional would be looked
  // up for each row.
  @inline(never) private func decodeStored<T: Decodable>(_ type: T.Type) throws -> T {
    try values.storedValue(type, at: 0) ?? T(from: self)
  }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    if heldKey == ObjectIdentifier(type), let held {
      // A container's type depends only on the type of its key.
      return unsafeDowncast(held, to: Held<Key>.self).container
    }
    let container = KeyedDecodingContainer(KeyedRow<Key>(values: values))
    held = Held(container)
    heldKey = ObjectIdentifier(type)
    return container
  }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw JSONExpected()
  }

  package func singleValueContainer() -> any SingleValueDecodingContainer {
    ColumnDecoder(values: values, column: 0)
  }

  /// Whether the stored form of a type's values differs from the form that `Decodable` expects.
  package static func isStored(_ type: any Any.Type) -> Bool {
    type is any SQLReadable.Type
  }
}

private final class Held<Key: CodingKey> {
  let container: KeyedDecodingContainer<Key>

  init(_ container: KeyedDecodingContainer<Key>) {
    self.container = container
  }
}
