extension SQL: ExpressibleByStringInterpolation {
  /// Makes a statement without bound values.
  ///
  /// The parameter is a `StaticString`, so only a literal in source code can become a statement.
  public init(stringLiteral value: StaticString) {
    self.init(text: value.description)
  }

  /// Makes a statement whose interpolated values are bound.
  public init(stringInterpolation: StringInterpolation) {
    self = stringInterpolation.sql
  }

  /// Collects the text and the bound values of an `SQL` literal.
  public struct StringInterpolation: StringInterpolationProtocol {
    @usableFromInline var sql = SQL(text: "")

    /// Makes an empty statement.
    public init(literalCapacity: Int, interpolationCount: Int) {
      sql.reserve(literalCapacity, values: interpolationCount)
    }

    /// Appends literal text to the statement.
    public mutating func appendLiteral(_ literal: StaticString) {
      sql.append(text: literal.description)
    }

    // Without specialisation, a call takes about a microsecond, as long as a short statement.
    /// Binds a value; `nil` binds NULL.
    @inlinable public mutating func appendInterpolation<Value: SQLConvertible>(_ value: Value?) {
      sql.append(value?.sqlValue ?? .null)
    }

    /// Binds the raw value of an enumeration or an identifier type; `nil` binds NULL.
    @_disfavoredOverload
    public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value?)
    where Value.RawValue: SQLConvertible {
      sql.append(value?.rawValue.sqlValue ?? .null)
    }

    /// Inserts another statement or a part of a statement, with its bound values.
    public mutating func appendInterpolation(_ other: SQL) {
      sql.append(other)
    }

    /// Binds each value of a list, in parentheses: `WHERE id IN \(list: ids)`.
    ///
    /// If the list is empty, the condition `IN` is false for every row.
    public mutating func appendInterpolation(list values: some Collection<some SQLConvertible>) {
      guard !values.isEmpty else { return sql.appendEmptyList() }
      var separator = "("
      for value in values {
        sql.append(text: separator)
        sql.append(value.sqlValue)
        separator = ", "
      }
      sql.append(text: ")")
    }

    /// Binds all values of a list as one value.
    ///
    /// PostgreSQL receives an array: `WHERE id = ANY(\(array: ids))`. SQLite receives JSON:
    /// `WHERE id IN (SELECT value FROM json_each(\(array: ids)))`. The list can have any length.
    public mutating func appendInterpolation(array values: some Collection<some SQLConvertible>) {
      sql.append(.text(SQLValue.json(of: values.map(\.sqlValue))))
    }

    /// Inserts the quoted name of a table or a column.
    public mutating func appendInterpolation(identifier name: String) {
      sql.append(text: SQL.quoted(name))
    }
  }
}
