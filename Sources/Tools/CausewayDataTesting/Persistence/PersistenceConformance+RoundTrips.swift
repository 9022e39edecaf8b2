import CausewayDatabase
import CausewayTesting
import Foundation

extension PersistenceConformance {
  private enum Kind: String, Codable { case sail, motor }

  private struct Engine: Codable, Equatable {
    var power: Double
    var fuels: [String]
  }

  private struct Thing: Codable, Equatable, Sendable {
    var id = UUID()
    var flag = true
    var small = Int8.min
    var large = UInt64(Int64.max)
    var ratio = Float(0.1)
    var real = Double.pi
    var name = ""
    var made = Date(timeIntervalSinceReferenceDate: 812_345_678.123_456_7)
    var bytes: [UInt8] = []
    var data = Data([0, 255])
    var kind = Kind.motor
    var link = URL(filePath: "/a b/c")
    var note: String?
    var count: Int?
    var refit: Date?
    var engine = Engine(power: 1.5, fuels: ["oil", "sun"])
    var empty: [Int] = []
  }

  static let roundTrips: [Requirement] = [
    .init("every storable type is read as it was stored") { service in
      var full = Thing(name: "né\n'\"\\🚣🏽‍♀️")
      full.note = ""
      full.count = Int(Int64.min)
      full.refit = Date(timeIntervalSinceReferenceDate: -1e-9)
      full.bytes = Array(0...255)
      let things = [Thing(), full]
      try await service.write { try $0.insert(things, into: "thing") }
      for thing in things {
        let found = try await service.read {
          try $0.row("SELECT * FROM thing WHERE id = \(thing.id)", as: Thing.self)
        }
        try require(found, is: thing, "the stored row is found")
        let count = try await service.read {
          try $0.row(
            """
            SELECT count(*) FROM thing WHERE id = \(thing.id) AND made = \(thing.made)
            AND kind = \(Kind.motor) AND bytes = \(thing.bytes) AND data = \(thing.data)
            AND name = \(thing.name)
            """, as: Int.self)
        }
        try require(count, is: 1, "a bound value equals the stored one")
      }
    },
    .init("numbers are read exactly as stored") { service in
      let reals: [Double] = [
        0, -0.0, 0.1, .pi, -.pi, .leastNonzeroMagnitude, .leastNormalMagnitude,
        .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e15 + 0.3, .infinity, -.infinity,
      ]
      for real in reals {
        var thing = Thing()
        thing.real = real
        let stored = thing
        try await service.write { try $0.insert(stored, into: "thing") }
        let found = try await service.read {
          try $0.row("SELECT real FROM thing WHERE id = \(stored.id)", as: Double.self)
        }
        try require(found, is: real, "\(real) comes back")
      }
      for integer in [0, 1, -1, Int.max, Int.min, 1 << 53 + 1] {
        let id = UUID()
        try await service.write {
          try $0.execute("INSERT INTO thing (id, count) VALUES (\(id), \(integer))")
        }
        let found = try await service.read {
          try $0.row("SELECT count FROM thing WHERE id = \(id)", as: Int.self)
        }
        try require(found, is: integer, "\(integer) comes back")
      }
    },
    .init("text and bytes of any length are read as stored") { service in
      for length in [0, 1, 7, 8, 15, 16, 17, 255, 256, 4_096, 200_000] {
        var thing = Thing(name: String(repeating: "ø", count: length))
        thing.data = Data((0..<length).map { UInt8(truncatingIfNeeded: $0) })
        let stored = thing
        try await service.write { try $0.insert(stored, into: "thing") }
        let found = try await service.read {
          try $0.row("SELECT * FROM thing WHERE id = \(stored.id)", as: Thing.self)
        }
        try require(found == stored, "\(length) characters and bytes come back")
      }
    },
    .init("an absent value differs from an empty one") { service in
      try await service.write { transaction in
        try transaction.insert(Item(id: 1, name: "a", size: nil), into: "item")
        try transaction.insert(Item(id: 2, name: "b", size: 0), into: "item")
      }
      let ids = try await service.read {
        try $0.rows("SELECT id FROM item WHERE size IS NULL", as: Int.self)
      }
      try require(ids, is: [1], "nil is NULL")
    },
  ]
}
