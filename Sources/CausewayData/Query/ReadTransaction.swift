/// A view of the database at one moment.
///
/// Valid only inside the closure that receives it. Everything read through it belongs to the same
/// snapshot, whatever others commit meanwhile.
public protocol ReadTransaction {
  /// All rows of a query, decoded by column name.
  ///
  /// A type that decodes from a single value takes the first column.
  ///
  /// - Throws: `PersistenceError` if the statement fails, would write, or a row does not fit `T`.
  /// - Complexity: O(rows × columns).
  func rows<T: Decodable>(_ query: SQL, as type: T.Type) throws(PersistenceError) -> [T]

  /// The first row of a query, or `nil` if there is none.
  ///
  /// - Throws: `PersistenceError` if the statement fails, would write, or the row does not fit `T`.
  func row<T: Decodable>(_ query: SQL, as type: T.Type) throws(PersistenceError) -> T?
}
