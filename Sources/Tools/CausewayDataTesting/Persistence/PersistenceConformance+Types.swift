import CausewayDatabase
import CausewayTesting
import Foundation

/// A row with one value of the type to test.
private struct Cell<Value: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
  var id: Int
  var value: Value?
}

extension PersistenceConformance {
  /// A table for each type of column.
  static let cells = Migration(
    "create cells",
    """
    CREATE TABLE cell_boolean (id BIGINT PRIMARY KEY, value BOOLEAN);
    CREATE TABLE cell_smallint (id BIGINT PRIMARY KEY, value SMALLINT);
    CREATE TABLE cell_integer (id BIGINT PRIMARY KEY, value INTEGER);
    CREATE TABLE cell_bigint (id BIGINT PRIMARY KEY, value BIGINT);
    CREATE TABLE cell_double (id BIGINT PRIMARY KEY, value DOUBLE PRECISION);
    CREATE TABLE cell_numeric (id BIGINT PRIMARY KEY, value NUMERIC);
    CREATE TABLE cell_text (id BIGINT PRIMARY KEY, value TEXT);
    CREATE TABLE cell_uuid (id BIGINT PRIMARY KEY, value UUID);
    CREATE TABLE cell_bytea (id BIGINT PRIMARY KEY, value BYTEA);
    CREATE TABLE cell_timestamptz (id BIGINT PRIMARY KEY, value TIMESTAMPTZ);
    CREATE TABLE cell_timestamp (id BIGINT PRIMARY KEY, value TIMESTAMP);
    """)

  static let types: [Requirement] = [
    .init("truth values fit columns of truth values and of integers") { service in
      for table in ["cell_boolean", "cell_smallint", "cell_bigint"] {
        try await check([true, false], in: table, service)
      }
    },
    .init("integers of every width fit, from the smallest to the largest") { service in
      try await check([Int8.min, 0, .max], in: "cell_smallint", service)
      try await check([UInt8.min, .max], in: "cell_smallint", service)
      try await check([Int16.min, 0, .max], in: "cell_smallint", service)
      try await check([UInt16.min, .max], in: "cell_integer", service)
      try await check([Int32.min, 0, .max], in: "cell_integer", service)
      try await check([UInt32.min, .max], in: "cell_bigint", service)
      try await check([Int64.min, 0, .max], in: "cell_bigint", service)
      try await check([Int.min, 0, .max], in: "cell_bigint", service)
      try await check([Int32.min, 0, .max], in: "cell_numeric", service)
    },
    .init("floating-point numbers fit, from the smallest to the infinite") { service in
      let reals = [
        0, 0.1, -.pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity,
      ]
      try await check(reals, in: "cell_double", service)
      let floats: [Float] = [0, 0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.infinity]
      try await check(floats, in: "cell_double", service)
      try await check([0, 1.5, -0.25], in: "cell_numeric", service)
    },
    .init("decimal numbers fit columns of numbers and of texts") { service in
      let numbers = ["0", "1.50", "-0.01", "999999999999.99"].compactMap { Decimal(string: $0) }
      for table in ["cell_numeric", "cell_text"] { try await check(numbers, in: table, service) }
    },
    .init("texts fit, from the empty to the long") { service in
      let texts = ["", " ", "né '\"\\ 🚣🏽‍♀️", String(repeating: "a", count: 100_000)]
      try await check(texts, in: "cell_text", service)
      let identifier = UUID()
      for table in ["cell_text", "cell_uuid"] { try await check([identifier], in: table, service) }
    },
    .init("bytes fit, from none to many") { service in
      let blobs = [[], [0], Array(0...255), [UInt8](repeating: 92, count: 100_000)]
      try await check(blobs, in: "cell_bytea", service)
      try await check(blobs.map { Data($0) }, in: "cell_bytea", service)
    },
    .init("dates fit columns of numbers and of times, from the distant past to the future") {
      service in
      var dates: [Date] = [.distantPast, .distantFuture]
      for seconds in [0, 812_345_678.125, -812_345_678.125, -1.2e11, 0.000001] {
        dates.append(Date(timeIntervalSinceReferenceDate: seconds))
      }
      for table in ["cell_double", "cell_timestamptz", "cell_timestamp"] {
        try await check(dates, in: table, service)
      }
    },
    .init("a number or a date that cannot be compared is refused when it is stored") { service in
      // The description of a date that is not finite traps.
      for value: any SQLConvertible & Sendable in [
        Double.nan, Float.nan, Decimal.nan, Date(timeIntervalSinceReferenceDate: .nan),
        Date(timeIntervalSinceReferenceDate: .infinity),
      ] {
        try await requireFailure(.encoding, of: "such a \(type(of: value)) is refused") {
          try await service.write {
            try $0.execute("INSERT INTO cell_double VALUES (1, \(value.sqlValue))")
          }
        }
      }
      try await requireFailure(.encoding, of: "a record without a number is refused") {
        try await service.write {
          try $0.insert(Cell<Double>(id: 1, value: .nan), into: "cell_double")
        }
      }
      let endless = (0..<100).map { _ in
        Cell(id: 1, value: Date(timeIntervalSinceReferenceDate: -.infinity))
      }
      try await requireFailure(.encoding, of: "a record with an endless date is refused") {
        try await service.write { try $0.insert(endless, into: "cell_timestamptz") }
      }
      try await service.write {
        try $0.execute("INSERT INTO cell_double VALUES (1, \(Double.infinity))")
      }
      try await requireFailure(.decoding, of: "an infinite number is no date") {
        try await service.read { try $0.row("SELECT value FROM cell_double", as: Date.self) }
      }
    },
    .init("a condition on an empty list is false for every type of column") { service in
      for name in ["boolean", "integer", "double", "text", "uuid", "bytea", "timestamptz"] {
        let table = "cell_\(name)"
        try await service.write {
          try $0.execute("INSERT INTO \(identifier: table) (id) VALUES (1)")
        }
        let counts = try await service.read { transaction in
          try [
            "SELECT count(*) FROM \(identifier: table) WHERE value IN \(list: [Int]())",
            "SELECT count(*) FROM \(identifier: table) WHERE NOT value in\n \(list: [Int]())",
            "SELECT count(*) FROM \(identifier: table) WHERE value Not IN \(list: [Int]())",
            "SELECT count(*) FROM \(identifier: table) WHERE (value)IN\(list: [Int]()) OR id = \(1)",
          ].map { (query: SQL) in try transaction.row(query, as: Int.self) }
        }
        try require(counts, is: [0, 1, 1, 1], "an empty list contains no \(name)")
      }
    },
  ]

  /// Stores each value by a record, by a statement and in bulk, and finds and reads it.
  private static func check<Value: Codable & Equatable & Sendable & SQLConvertible>(
    _ values: [Value], in table: String, _ service: any PersistenceService
  ) async throws {
    let place = "\(Value.self) in \(table)"
    let all = values.map(Optional.some) + [nil]
    for value in all {
      let found = try await service.write { transaction in
        try transaction.insert(Cell(id: 1, value: value), into: table)
        try transaction.execute("INSERT INTO \(identifier: table) VALUES (2, \(value))")
        try transaction.upsert(Cell(id: 3, value: value), into: table, key: ["id"])
        defer { _ = try? transaction.execute("DELETE FROM \(identifier: table)") }
        var condition: SQL = "value IS NULL"
        if let value { condition = "value = \(value) AND value IN \(list: [value])" }
        return try transaction.rows(
          "SELECT * FROM \(identifier: table) WHERE \(condition) ORDER BY id",
          as: Cell<Value>.self)
      }
      let expected = (1...3).map { Cell(id: $0, value: value) }
      guard found != expected else { continue }
      throw BrokenPromise(
        "Broken promise: \(String(describing: value).prefix(99)) as \(place) comes back. "
          + "Found \("\(found)".prefix(999)).")
    }
    for value in values {
      let found = try await service.read { try $0.row("SELECT \(value)", as: Value.self) }
      try require(found == value, "\("\(value)".prefix(99)) comes back without a column")
    }
    // A service may store many records in another way than a single record.
    let cells = (0..<150).map { Cell(id: $0, value: all[$0 % all.count]) }
    let found = try await service.write { transaction in
      try transaction.insert(cells, into: table)
      defer { _ = try? transaction.execute("DELETE FROM \(identifier: table)") }
      return try transaction.rows(
        "SELECT * FROM \(identifier: table) ORDER BY id", as: Cell<Value>.self)
    }
    try require(found == cells, "many values of \(place) come back")
  }
}
