package import Foundation

/// The values of the current row of a result, in the forms of one database.
///
/// Each function throws a `PersistenceError` that names the column if the value has another form.
package protocol RowValues: AnyObject {
  var columns: ColumnNames { get }

  /// The index of a column; `ColumnNames.missing`, or `ambiguous` if several have the name.
  ///
  /// It repeats the function of `columns`, because each use of `columns` through this protocol
  /// would retain and release the object.
  func column(_ name: String) -> Int32
  func isNull(at column: Int32) -> Bool
  func integer(at column: Int32) throws -> Int64
  func bool(at column: Int32) throws -> Bool
  func real(at column: Int32) throws -> Double
  func text(at column: Int32) throws -> String
  func date(at column: Int32) throws -> Date
  /// The value as the database stores it.
  func value(at column: Int32) throws -> SQLValue
  /// The JSON of the elements of an array; `nil` for every other value.
  func arrayJSON(at column: Int32) -> String?
  /// The form of a value for errors, such as "an integer".
  func form(at column: Int32) -> String
}

extension RowValues {
  /// By default there are no arrays.
  package func arrayJSON(at column: Int32) -> String? { nil }

  /// Makes an error that names the column and the form of its value, but not the value.
  package func mismatch(at column: Int32, expected: String) -> PersistenceError {
    let name = columns.names.indices.contains(Int(column)) ? columns.names[Int(column)] : "?"
    return PersistenceError(
      .decoding,
      message: "Column \"\(name)\" holds \(form(at: column)) where \(expected) is needed")
  }
}
