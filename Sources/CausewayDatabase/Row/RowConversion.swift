import Foundation

/// The values of the current row, converted to the types of Swift.
///
/// It consists of one reference only: the standard library copies a container, and with it this
/// value, for each value that it decodes.
struct RowConversion {
  let row: any RowValues

  func integer<Value: FixedWidthInteger>(_ type: Value.Type, at column: Int32) throws -> Value {
    if let value = Value(exactly: try row.integer(at: column)) { return value }
    throw row.mismatch(at: column, expected: "an integer that fits \(type)")
  }

  func float(at column: Int32) throws -> Float {
    let real = try row.real(at: column)
    let value = Float(real)
    if value.isFinite || !real.isFinite { return value }
    throw row.mismatch(at: column, expected: "a number that fits Float")
  }

  /// Decodes a value of a type for which `isStored` is true.
  ///
  /// Returns `nil` for all other types.
  func storedValue<T>(_ type: T.Type, at column: Int32) throws -> T? {
    guard RowDecoder.isStored(type) else { return nil }
    if type == Date.self { return try row.date(at: column) as? T }
    if type == Decimal.self { return try row.decimal(at: column) as? T }
    if type == UUID.self { return try row.uuid(at: column) as? T }
    if type == Data.self { return try row.data(at: column) as? T }
    return try row.bytes(at: column) as? T
  }

  /// Decodes a value of any other type: as a single value if possible, otherwise from JSON text.
  func value<T: Decodable>(_ type: T.Type, at column: Int32) throws -> T {
    if let value = try storedValue(type, at: column) { return value }
    do {
      return try T(from: ColumnDecoder(values: self, column: column))
    } catch is JSONExpected {
      let json = Data(try row.text(at: column).utf8)
      do {
        return try JSONDecoder().decode(type, from: json)
      } catch {
        throw row.mismatch(at: column, expected: "the JSON of \(type)")
      }
    } catch is DecodingError {
      throw row.mismatch(at: column, expected: "a value of \(type)")
    }
  }

  func fault(_ column: Int32, _ name: String) -> PersistenceError {
    let fault = column == ColumnNames.ambiguous ? "Several columns are" : "No column is"
    let names = row.columns.names.joined(separator: ", ")
    return PersistenceError(
      .decoding, message: "\(fault) named \"\(name)\"; there are \(names)")
  }
}
