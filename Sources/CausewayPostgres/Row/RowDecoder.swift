import CPostgres
import CausewayDatabase
import Foundation

extension QueryResult {
  /// Decodes the rows: a single value from the first column, other types by column name.
  func rows<T: Decodable>(
    as type: T.Type, sql: String, limit: Int = .max
  ) throws(PersistenceError) -> [T] {
    let decoder = RowDecoder(self)
    defer { decoder.finish() }
    let count = min(Int(rowCount), limit)
    var rows: [T] = []
    rows.reserveCapacity(count)
    for row in 0..<count {
      decoder.row = Int32(row)
      do {
        rows.append(try decoder.decode(type))
      } catch let error as PersistenceError {
        throw error.adding(sql: sql)
      } catch {
        throw PersistenceError(undecodable: type, error, sql: sql)
      }
    }
    return rows
  }
}

/// Decodes the rows of a result, one after the other.
final class RowDecoder: Decoder {
  /// The form in which a column is read.
  enum Form { case integer, real, decimal, flag, time, bytes, text }

  private static let missing: Int32 = -1
  private static let ambiguous: Int32 = -2

  let result: QueryResult
  var row: Int32 = 0
  let names: [String]
  private let forms: [Form]
  private let columns: [String: Int32]
  /// The keys in the order in which the previous row was decoded, with their columns.
  private var steps: [(key: String, column: Int32)] = []
  private var nextStep = 0
  private var held: AnyObject?
  private var heldKey: ObjectIdentifier?

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ result: QueryResult) {
    self.result = result
    let count = PQnfields(result.handle)
    names = (0..<count).map { PQfname(result.handle, $0).map { String(cString: $0) } ?? "" }
    forms = (0..<count).map { Form(type: PQftype(result.handle, $0)) }
    columns = Dictionary(
      names.enumerated().map { ($0.element, Int32($0.offset)) },
      uniquingKeysWith: { _, _ in Self.ambiguous })
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    nextStep = 0
    return try storedValue(type, at: 0) ?? T(from: self)
  }

  /// Releases the container, which refers to this decoder.
  func finish() {
    held = nil
    heldKey = nil
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    if heldKey == ObjectIdentifier(type), let held = held as? Held<Key> { return held.container }
    let container = KeyedDecodingContainer(KeyedRow<Key>(row: self))
    held = Held(container)
    heldKey = ObjectIdentifier(type)
    return container
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw PersistenceError(.decoding, message: "A row cannot become a list")
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    ColumnDecoder(row: self, column: 0)
  }

  func form(of column: Int32) -> Form { forms[Int(column)] }

  func isNull(at column: Int32) -> Bool { PQgetisnull(result.handle, row, column) == 1 }

  /// Returns the index of a key's column.
  func column(_ name: String) throws -> Int32 {
    let column = find(name)
    if column >= 0 { return column }
    throw fault(column, name)
  }

  /// Returns the index of a key's column if it has a value, for optional properties.
  func presentColumn(_ name: String) throws -> Int32? {
    let column = find(name)
    if column == Self.missing { return nil }
    if column == Self.ambiguous { throw fault(column, name) }
    return isNull(at: column) ? nil : column
  }

  func contains(_ name: String) -> Bool { find(name) != Self.missing }

  /// A type decodes its keys in the same order for each row, so a lookup only compares two strings.
  private func find(_ name: String) -> Int32 {
    let position = nextStep
    nextStep += 1
    if position < steps.count, steps[position].key == name { return steps[position].column }
    let column = columns[name] ?? Self.missing
    if position < steps.count {
      steps[position] = (name, column)
    } else if position == steps.count, position < names.count * 2 + 8 {
      steps.append((name, column))
    }
    return column
  }

  private func fault(_ column: Int32, _ name: String) -> PersistenceError {
    let fault = column == Self.ambiguous ? "Several columns are" : "No column is"
    return PersistenceError(
      .decoding,
      message: "\(fault) named \"\(name)\"; there are \(names.joined(separator: ", "))")
  }
}

private final class Held<Key: CodingKey> {
  let container: KeyedDecodingContainer<Key>

  init(_ container: KeyedDecodingContainer<Key>) {
    self.container = container
  }
}

extension RowDecoder.Form {
  /// Chooses the form by the identifier of a type in `pg_type`.
  init(type: Oid) {
    self =
      switch type {
      case 16: .flag
      case 17: .bytes
      case 20, 21, 23, 26, 28, 5069: .integer
      case 700, 701: .real
      case 1700: .decimal
      case _ where ServerTime.isTime(type): .time
      default: .text
      }
  }
}
