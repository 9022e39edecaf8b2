import CausewayData
import CausewaySQLite
import Foundation
import Testing

@Suite struct `Types of an app in columns` {
  /// Binds its only property, and is read without a function for it.
  private struct Money: Codable, Hashable, Sendable, SQLConvertible {
    var cents: Int
    var sqlValue: SQLValue { .integer(Int64(cents)) }
  }

  private struct Flag: Codable, Hashable, Sendable, SQLConvertible {
    var isOn: Bool
    var sqlValue: SQLValue { .boolean(isOn) }
  }

  /// Is stored in a form that no `Decodable` type reads.
  private struct Place: Codable, Hashable, Sendable, SQLReadable {
    var (x, y) = (0, 0)
    var sqlValue: SQLValue { .text("\(x)|\(y)") }

    init(x: Int, y: Int) { (self.x, self.y) = (x, y) }

    init?(sqlValue: SQLValue) {
      guard case .text(let text) = sqlValue else { return nil }
      let parts = text.split(separator: "|").compactMap { Int($0) }
      guard parts.count == 2 else { return nil }
      (x, y) = (parts[0], parts[1])
    }
  }

  /// Binds less than it encodes.
  private struct Labelled: Codable, Equatable, Sendable, SQLConvertible {
    var number: Int
    var label: String
    var sqlValue: SQLValue { .integer(Int64(number)) }
  }

  private struct Item: Codable, Equatable, Sendable {
    var id: Int
    var price: Money
    var isOpen: Flag
    var place: Place?
  }

  private let service: InMemoryPersistenceService

  init() throws {
    service = try InMemoryPersistenceService(migrations: [
      Migration("items", "CREATE TABLE item (id INTEGER PRIMARY KEY, price, isOpen, place)"),
      Migration("shapes", "CREATE TABLE shape (id INTEGER PRIMARY KEY, value TEXT)"),
    ])
  }

  @Test func `are read as they are bound`() async throws {
    let items = [
      Item(id: 1, price: Money(cents: 250), isOpen: Flag(isOn: true), place: Place(x: 1, y: -2)),
      Item(id: 2, price: Money(cents: -1), isOpen: Flag(isOn: false), place: nil),
    ]
    try await service.write { try $0.insert(items, into: "item") }
    try await service.read { transaction throws in
      #expect(try transaction.rows("SELECT * FROM item ORDER BY id", as: Item.self) == items)
      let price = items[0].price
      #expect(
        try transaction.row("SELECT * FROM item WHERE price = \(price)", as: Item.self) == items[0])
      let places = try transaction.rows("SELECT place FROM item ORDER BY id", as: Place?.self)
      #expect(places == items.map(\.place))
      #expect(try transaction.row("SELECT \(Place(x: 3, y: 4))", as: Place.self)?.y == 4)
    }
  }

  @Test func `are refused where the column has another form`() async throws {
    try await service.read { transaction throws in
      for query in ["SELECT 'x' AS place", "SELECT 1 AS place", "SELECT NULL AS place"] as [SQL] {
        #expect {
          try transaction.row(query, as: Place.self)
        } throws: { error in
          (error as? PersistenceError)?.kind == .decoding && "\(error)".contains("\"place\"")
        }
      }
      struct Holder<Value: Decodable>: Decodable { var value: Value }
      func refuses<Value: Decodable>(_ query: SQL, _ type: Value.Type) {
        #expect {
          try transaction.row(query, as: Holder<Value>.self)
        } throws: { error in
          (error as? PersistenceError)?.kind == .decoding && "\(error)".contains("\"value\"")
        }
      }
      refuses("SELECT 7 AS value", Labelled.self)
      refuses("SELECT 2.5 AS value", Money.self)
      refuses("SELECT '7' AS value", Money.self)
      refuses("SELECT 7 AS value", Flag.self)
      #expect(
        try transaction.row("SELECT 7 AS value", as: Holder<Money>.self)?.value.cents == 7)
    }
  }

  @Test func `compose the types of the library`() {
    let id = UUID()
    #expect(UUID(sqlValue: id.sqlValue) == id)
    #expect(UUID(sqlValue: .text(id.uuidString.lowercased())) == id)
    #expect(UUID(sqlValue: .blob(withUnsafeBytes(of: id.uuid, Array.init))) == id)
    #expect(UUID(sqlValue: .integer(1)) == nil)
    #expect(Decimal(sqlValue: .text("1.50")) == Decimal(string: "1.50"))
    #expect(Decimal(sqlValue: .real(0.1)) == Decimal(string: "0.1"))
    #expect(Date(sqlValue: .real(5)) == Date(timeIntervalSinceReferenceDate: 5))
    #expect(Date(sqlValue: .integer(5)) == nil)
    #expect(Data(sqlValue: .blob([1])) == Data([1]))
    #expect([UInt8](sqlValue: .text("1")) == nil)
  }

  private struct Shape: Codable, Equatable, Sendable {
    enum Kind: String, Codable { case round, flat }
    struct Part: Codable, Hashable { var tags: Set<String> }
    var id: Int
    var value: Value
    struct Value: Codable, Equatable {
      var tags: Set<String>
      var sizes: [UUID: Set<Int>]
      var kinds: [Kind: Int]
      var parts: Set<Part>
      var named: [String: Set<Double>]
      var nested: [[Set<Int>?]]
      var when: Date
      var data: Data
      var link: URL
      var price: Decimal
    }
  }

  @Test func `have equal texts for equal sets and dictionaries`() async throws {
    let ids = (0..<12).map { _ in UUID() }
    func value(reversed: Bool) throws -> Shape.Value {
      let order = { (count: Int) in reversed ? Array((0..<count).reversed()) : Array(0..<count) }
      func numbers(_ count: Int) -> Set<Int> {
        var set = Set<Int>(minimumCapacity: reversed ? 4_000 : 0)
        for number in order(count) { set.insert(number * 7 - 11) }
        return set
      }
      var value = Shape.Value(
        tags: Set(minimumCapacity: reversed ? 4_000 : 0), sizes: [:], kinds: [:], parts: [],
        named: [:], nested: [[numbers(9), nil], []],
        when: Date(timeIntervalSinceReferenceDate: 0.1), data: Data([1, 2]),
        link: try #require(URL(string: "https://a.example/b?c=d")), price: 12.5)
      for number in order(20) { value.tags.insert("tag/\(number)é") }
      if reversed { value.sizes.reserveCapacity(3_000) }
      for index in order(12) { value.sizes[ids[index]] = numbers(index) }
      for kind in reversed ? [Shape.Kind.flat, .round] : [.round, .flat] { value.kinds[kind] = 1 }
      for index in order(12) { value.parts.insert(.init(tags: ["\(index)", "a", "b"])) }
      for index in order(12) { value.named["\(index)"] = [1.5, Double(index)] }
      return value
    }
    let shapes = [
      Shape(id: 1, value: try value(reversed: false)),
      Shape(id: 2, value: try value(reversed: true)),
    ]
    #expect(shapes[0].value == shapes[1].value)
    try await service.write { try $0.insert(shapes, into: "shape") }
    try await service.read { transaction throws in
      #expect(try transaction.rows("SELECT * FROM shape ORDER BY id", as: Shape.self) == shapes)
      #expect(try transaction.row("SELECT count(DISTINCT value) FROM shape", as: Int.self) == 1)
    }
  }

  @Test func `are stored as the text of the JSON encoder if they have an order`() async throws {
    struct Plain: Codable, Equatable, Sendable {
      var list = [1, 2, 3], names = ["b": 1, "a": 2], link = URL(string: "https://a/b"), none: Int?
      var when = Date(timeIntervalSinceReferenceDate: 1.5), flag = true, deep = [["x": [nil, 1.5]]]
      var large = UInt64.max, price = Decimal(string: "0.1"), data = Data([255])
    }
    struct Row: Codable, Sendable { var id = 1, value = Plain() }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let expected = String(decoding: try encoder.encode(Plain()), as: UTF8.self)
    try await service.write { try $0.insert(Row(), into: "shape") }
    let text = try await service.read { try $0.row("SELECT value FROM shape", as: String.self) }
    #expect(text == expected)
  }
}
