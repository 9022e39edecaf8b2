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
    // A server stores dates in several forms.
    if type == Date.self { return try row.date(at: column) as? T }
    guard let type = type as? any SQLReadable.Type else { return nil }
    if let value = type.init(sqlValue: try row.value(at: column)) { return value as? T }
    throw row.mismatch(at: column, expected: Self.expectation(of: type))
  }

  private static func expectation(of type: any SQLReadable.Type) -> String {
    switch type {
    case is UUID.Type: "a UUID as 36 characters or 16 bytes"
    case is Decimal.Type: "a decimal number"
    case is Data.Type, is [UInt8].Type: "bytes"
    default: "a value of \(type)"
    }
  }

  /// Decodes a value of any other type: as a single value if possible, otherwise from JSON text.
  func value<T: Decodable>(_ type: T.Type, at column: Int32) throws -> T {
    if let value = try storedValue(type, at: column) { return value }
    do {
      return try T(from: ColumnDecoder(values: self, column: column))
    } catch is JSONExpected {
      do {
        return try JSONDecoder().decode(type, from: Data(try row.text(at: column).utf8))
      } catch {
        if let array = row.arrayJSON(at: column),
          let value = try? JSONDecoder().decode(type, from: Data(array.utf8))
        {
          return value
        }
        if let value = wrapper(type, at: column) { return value }
        if error is PersistenceError { throw error }
        throw row.mismatch(at: column, expected: "the JSON of \(type)")
      }
    } catch is DecodingError {
      throw row.mismatch(at: column, expected: "a value of \(type)")
    }
  }

  /// Decodes a type that is stored as the value of its only property.
  ///
  /// The type decodes a key for the property, but the column contains only the property's value.
  /// Returns `nil` if the result would not be stored as the value of the column.
  private func wrapper<T: Decodable>(_ type: T.Type, at column: Int32) -> T? {
    guard type is any SQLConvertible.Type else { return nil }
    let decoder = ColumnDecoder(values: self, column: column, hasKeys: true)
    guard let value = try? T(from: decoder), let bound = (value as? any SQLConvertible)?.sqlValue,
      let stored = try? row.value(at: column), bound.isStored(as: stored)
    else { return nil }
    return value
  }

  func fault(_ column: Int32, _ name: String) -> PersistenceError {
    let fault = column == ColumnNames.ambiguous ? "Several columns are" : "No column is"
    let names = row.columns.names.joined(separator: ", ")
    return PersistenceError(
      .decoding, message: "\(fault) named \"\(name)\"; there are \(names)")
  }
}
