/// A consistent view of the database at one moment.
///
/// It is valid only inside the closure that receives it. All reads see the same snapshot, even if
/// other transactions commit in the meantime.
public protocol ReadTransaction {
  /// Returns all rows of a query, decoded by column name.
  ///
  /// A type that decodes from a single value is decoded from the first column.
  ///
  /// - Throws: `PersistenceError` if the statement fails or would write, or if a row does not fit
  ///   `T`.
  /// - Complexity: O(rows × columns).
  func rows<T: Decodable>(_ query: SQL, as type: T.Type) throws(PersistenceError) -> [T]

  /// Returns the first row of a query, or `nil` if there is none.
  ///
  /// - Throws: `PersistenceError` if the statement fails or would write, or if the row does not fit
  ///   `T`.
  func row<T: Decodable>(_ query: SQL, as type: T.Type) throws(PersistenceError) -> T?
}
