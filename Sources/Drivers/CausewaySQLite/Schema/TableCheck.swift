public import CausewayDatabase

/// Compares a record type with the table that stores it.
///
/// ```swift
/// let problems = try await store.problems(in: [
///   TableCheck("activity", sample: Activity(id: UUID(), title: "", start: .now, note: "note"))
/// ])
/// ```
public struct TableCheck: Sendable {
  /// The name of the table.
  public let table: String

  /// Returns the columns and values of the sample.
  let record: @Sendable () throws(PersistenceError) -> [(name: String, value: SQLValue)]
  /// Returns whether a row with these values can be decoded.
  let decodes: @Sendable ([(name: String, value: SQLValue)], any ReadTransaction) -> Bool

  /// Makes a check.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - sample: Any record in which every optional property has a value. It is not stored.
  public init<Record: Codable & Sendable>(_ table: String, sample: Record) {
    self.table = table
    record = { () throws(PersistenceError) in
      let columns = RecordColumns()
      try columns.encode(sample)
      return Array(zip(columns.names, columns.values)).map { (name: $0.0, value: $0.1) }
    }
    decodes = { columns, transaction in
      var query: SQL = "SELECT"
      for (index, column) in columns.enumerated() {
        query =
          "\(query)\(index > 0 ? "," as SQL : "") \(column.value) AS \(identifier: column.name)"
      }
      return (try? transaction.row(query, as: Record.self)) != nil
    }
  }
}

/// A difference between a record type and its table.
public struct TableProblem: Sendable, Hashable {
  /// The kind of a difference.
  public enum Kind: Sendable, Hashable {
    /// The database has no such table or view.
    case tableMissing
    /// The record has a property without a column.
    case columnMissing
    /// The column must have a value and has no default, but the record has no such property.
    case propertyMissing
    /// The column stores values of another type.
    case typeDiffers(declared: String)
    /// The column can be NULL, but the property is not optional.
    case columnMayBeNull
    /// The property is optional, but the column must not be NULL.
    case propertyMayBeNil
  }

  /// The name of the table.
  public var table: String
  /// The name of the column; `nil` if the table is missing.
  public var column: String?
  /// The kind of the difference.
  public var kind: Kind

  /// Makes a problem, for example to compare it in a test.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - column: The name of the column; `nil` if the table is missing.
  ///   - kind: The kind of the difference.
  public init(table: String, column: String? = nil, kind: Kind) {
    self.table = table
    self.column = column
    self.kind = kind
  }
}

extension TableProblem: CustomStringConvertible {
  /// A sentence that names the table, the column and the difference.
  public var description: String {
    let column = column.map { "The column \"\($0)\" of \"\(table)\"" } ?? "The table \"\(table)\""
    return switch kind {
    case .tableMissing, .columnMissing: "\(column) is missing."
    case .propertyMissing: "\(column) needs a value, but the record has no such property."
    case .typeDiffers(let declared): "\(column) has the type \(declared), which does not fit."
    case .columnMayBeNull: "\(column) may be NULL, but the property is not optional."
    case .propertyMayBeNil: "\(column) must not be NULL, but the property is optional."
    }
  }
}

extension PersistenceService {
  /// Compares record types with their tables; call it at the program's start, or in a test.
  ///
  /// - Returns: All differences, in the order of the checks; an empty array if all records fit. The
  ///   service must be one of this module, because the tables are read from SQLite's schema.
  /// - Throws: `PersistenceError` if a sample cannot be encoded or the schema cannot be read.
  /// - Complexity: O(columns²) for each check; no rows are read.
  public func problems(in checks: [TableCheck]) async throws -> [TableProblem] {
    try await read { transaction in
      try checks.flatMap { try $0.problems(in: transaction) }
    }
  }
}

extension TableCheck {
  private struct Column: Decodable {
    let name: String
    let type: String
    let notnull: Bool
    let pk: Int
    let hasDefault: Bool
    let hidden: Int

    /// Whether an insert must give a value.
    ///
    /// SQLite generates a missing integer key, but not a missing part of a composite key.
    ///
    /// - Parameter keyCount: The number of columns of the primary key.
    func needsValue(keyCount: Int) -> Bool {
      let isNumbered = pk > 0 && keyCount == 1 && type.uppercased() == "INTEGER"
      return notnull && !hasDefault && hidden == 0 && !isNumbered
    }
  }

  fileprivate func problems(
    in transaction: any ReadTransaction
  ) throws(PersistenceError) -> [TableProblem] {
    let columns = try transaction.rows(
      """
      SELECT name, type, "notnull", pk, dflt_value IS NOT NULL AS hasDefault, hidden
      FROM pragma_table_xinfo(\(table))
      """, as: Column.self)
    guard !columns.isEmpty else { return [TableProblem(table: table, kind: .tableMissing)] }
    let keyCount = columns.count(where: { $0.pk > 0 })
    let record = try record()
    var problems: [TableProblem] = []
    for (index, property) in record.enumerated() {
      // SQLite ignores the case of ASCII letters in names.
      guard
        let column = columns.first(where: { $0.name.lowercased() == property.name.lowercased() })
      else {
        problems.append(TableProblem(table: table, column: property.name, kind: .columnMissing))
        continue
      }
      if !property.value.fits(column.type) {
        problems.append(
          TableProblem(
            table: table, column: column.name, kind: .typeDiffers(declared: column.type)))
      }
      var withNull = record
      withNull[index].value = .null
      let isOptional = decodes(withNull, transaction)
      if isOptional, column.needsValue(keyCount: keyCount) {
        problems.append(TableProblem(table: table, column: column.name, kind: .propertyMayBeNil))
      } else if !isOptional, !column.notnull, column.pk == 0 {
        problems.append(TableProblem(table: table, column: column.name, kind: .columnMayBeNull))
      }
    }
    let names = Set(record.map { $0.name.lowercased() })
    for column in columns
    where column.needsValue(keyCount: keyCount) && !names.contains(column.name.lowercased()) {
      problems.append(TableProblem(table: table, column: column.name, kind: .propertyMissing))
    }
    return problems
  }
}

extension SQLValue {
  /// Whether a column of a declared type returns this value unchanged.
  ///
  /// This follows SQLite's rules for column affinity.
  fileprivate func fits(_ declared: String) -> Bool {
    let type = declared.uppercased()
    func has(_ parts: String...) -> Bool { parts.contains { type.contains($0) } }
    switch self {
    case .null: return true
    case .boolean, .integer: return !has("CHAR", "CLOB", "TEXT") || has("INT")
    case .real, .date: return !has("CHAR", "CLOB", "TEXT", "INT")
    case .text, .uuid: return has("CHAR", "CLOB", "TEXT", "BLOB", "ANY") || type.isEmpty
    case .blob: return has("BLOB", "ANY", "BYTEA") || type.isEmpty
    }
  }
}
