package import Foundation

/// The values of the current row of a result, in the forms of one database.
///
/// Each function throws a `PersistenceError` that names the column if the value has another form.
package protocol RowValues: AnyObject {
  var columns: ColumnNames { get }

  /// The index of a column; `ColumnNames.missing`, or `ambiguous` if several have the name.
  ///
  /// It is here although `columns` has it: a property of a protocol counts a reference for each use.
  func column(_ name: String) -> Int32
  func isNull(at column: Int32) -> Bool
  func integer(at column: Int32) throws -> Int64
  func bool(at column: Int32) throws -> Bool
  func real(at column: Int32) throws -> Double
  func text(at column: Int32) throws -> String
  func date(at column: Int32) throws -> Date
  func decimal(at column: Int32) throws -> Decimal
  func uuid(at column: Int32) throws -> UUID
  func data(at column: Int32) throws -> Data
  func bytes(at column: Int32) throws -> [UInt8]
  /// The form of a value for errors, such as "an integer".
  func form(at column: Int32) -> String
}

extension RowValues {
  /// Makes an error that names the column and the form of its value, but not the value.
  package func mismatch(at column: Int32, expected: String) -> PersistenceError {
    let name = columns.names.indices.contains(Int(column)) ? columns.names[Int(column)] : "?"
    return PersistenceError(
      .decoding,
      message: "Column \"\(name)\" holds \(form(at: column)) where \(expected) is needed")
  }
}
