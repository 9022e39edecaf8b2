/// Decodes the current row of a result.
///
/// The same instance decodes all rows.
package final class RowDecoder: Decoder {
  let row: any RowValues
  let columns: ColumnNames
  package var codingPath: [any CodingKey] { [] }
  package var userInfo: [CodingUserInfoKey: Any] { [:] }
  /// The container that was used for the previous row.
  ///
  /// A type decodes every row through the same container.
  private var held: AnyObject?
  private var heldKey: ObjectIdentifier?

  package init(_ row: any RowValues) {
    self.row = row
    columns = row.columns
  }

  /// Decodes the current row: a single value from its first column, other types by column name.
  package func decode<T: Decodable>(_ type: T.Type, isStored: Bool) throws -> T {
    columns.beginRow()
    return isStored ? try decodeStored(type) : try T(from: self)
  }

  // This is a separate function: if it were inlined, the metadata of its optional would be looked
  // up for each row.
  @inline(never) private func decodeStored<T: Decodable>(_ type: T.Type) throws -> T {
    try storedValue(type, at: 0) ?? T(from: self)
  }

  /// Releases the container, which refers to this decoder.
  package func finish() {
    held = nil
    heldKey = nil
  }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    if heldKey == ObjectIdentifier(type), let held {
      // A container's type depends only on the type of its key.
      return unsafeDowncast(held, to: Held<Key>.self).container
    }
    let container = KeyedDecodingContainer(KeyedRow<Key>(decoder: self))
    held = Held(container)
    heldKey = ObjectIdentifier(type)
    return container
  }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw PersistenceError(.decoding, message: "A row cannot become a list")
  }

  package func singleValueContainer() -> any SingleValueDecodingContainer {
    ColumnDecoder(decoder: self, column: 0)
  }

  func fault(_ column: Int32, _ name: String) -> PersistenceError {
    let fault = column == ColumnNames.ambiguous ? "Several columns are" : "No column is"
    return PersistenceError(
      .decoding,
      message: "\(fault) named \"\(name)\"; there are \(columns.names.joined(separator: ", "))")
  }
}

private final class Held<Key: CodingKey> {
  let container: KeyedDecodingContainer<Key>

  init(_ container: KeyedDecodingContainer<Key>) {
    self.container = container
  }
}
