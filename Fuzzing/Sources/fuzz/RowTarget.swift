import CausewayData
import CausewaySQLite
import Foundation

private enum Kind: String, Codable { case a, b }

private struct Pair: Codable {
  var first: Int
  var second: [String]
}

private struct Single<Value: Decodable & Sendable>: Decodable, Sendable {
  var a: Value
}

private struct Double3<Value: Decodable & Sendable>: Decodable, Sendable {
  var a: Value?
  var b: Value
  var c: String?
}

extension Kind: Sendable {}
extension Pair: Sendable {}

/// Checks that reading any value as any type returns a value or throws a decoding error.
///
/// The decoding error must name the column.
func checkRows(_ input: [UInt8]) {
  var bytes = input[...]
  let kind = bytes.popFirst() ?? 0
  let values = (0..<3).map { _ in nextValue(&bytes) }
  let query: SQL = "SELECT \(values[0]) AS a, \(values[1]) AS b, \(values[2]) AS c"
  read(query, as: kind)
  let shape: SQL = kind & 1 == 0 ? "SELECT 1 AS other" : "SELECT \(values[0]) AS a, 2 AS a"
  read(shape, as: kind)
}

private func read(_ query: SQL, as kind: UInt8) {
  run { transaction in
    switch kind >> 1 {
    case 0: try decode(Int.self, query, transaction)
    case 1: try decode(Int8.self, query, transaction)
    case 2: try decode(UInt64.self, query, transaction)
    case 3: try decode(UInt.self, query, transaction)
    case 4: try decode(Double.self, query, transaction)
    case 5: try decode(Float.self, query, transaction)
    case 6: try decode(Bool.self, query, transaction)
    case 7: try decode(String.self, query, transaction)
    case 8: try decode(Data.self, query, transaction)
    case 9: try decode(Date.self, query, transaction)
    case 10: try decode(UUID.self, query, transaction)
    case 11: try decode([UInt8].self, query, transaction)
    case 12: try decode(Kind.self, query, transaction)
    case 13: try decode(Pair.self, query, transaction)
    case 14: try decode([Pair].self, query, transaction)
    case 15: try decode([String: Int?].self, query, transaction)
    case 16: try decode(URL.self, query, transaction)
    case 17: try decode(Decimal.self, query, transaction)
    default: try decode(Int?.self, query, transaction)
    }
  }
}

private func decode<Value: Decodable & Sendable>(
  _ type: Value.Type, _ query: SQL, _ transaction: any ReadTransaction
) throws {
  try attempt { _ = try transaction.rows(query, as: Single<Value>.self) }
  try attempt { _ = try transaction.rows(query, as: Double3<Value>.self) }
  try attempt { _ = try transaction.row(query, as: Value.self) }
}

/// Ignores decoding errors, which are correct for types that do not fit.
///
/// Any other error is a bug.
private func attempt(_ body: () throws -> Void) throws {
  do {
    try body()
  } catch let error as PersistenceError where error.kind == .decoding {
    precondition(!error.description.isEmpty)
  }
}

private func nextValue(_ bytes: inout ArraySlice<UInt8>) -> SQLValue {
  func number() -> UInt64 {
    (0..<8).reduce(0) { value, _ in value << 8 | UInt64(bytes.popFirst() ?? 0) }
  }
  switch (bytes.popFirst() ?? 0) % 8 {
  case 0: return .null
  case 1: return .integer(Int64(bitPattern: number()))
  case 2: return .integer(Int64(Int8(bitPattern: bytes.popFirst() ?? 0)))
  case 3:
    let real = Double(bitPattern: number())
    // Binding rejects NaN.
    return real.isNaN ? .null : .real(real)
  case 4: return .real(Double(Int8(bitPattern: bytes.popFirst() ?? 0)))
  case 5:
    let length = min(Int(bytes.popFirst() ?? 0), bytes.count)
    defer { bytes = bytes.dropFirst(length) }
    return .blob(Array(bytes.prefix(length)))
  default:
    let length = min(Int(bytes.popFirst() ?? 0), bytes.count)
    defer { bytes = bytes.dropFirst(length) }
    return .text(String(decoding: bytes.prefix(length), as: UTF8.self))
  }
}

private let service = wait { try InMemoryPersistenceService(migrations: []) }

private func run(_ body: @escaping @Sendable (any ReadTransaction) throws -> Void) {
  let service = service
  wait { try await service.read(body) }
}
