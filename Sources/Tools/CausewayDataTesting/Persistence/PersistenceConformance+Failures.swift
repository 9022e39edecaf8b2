import CausewayDatabase
import CausewayTesting

extension PersistenceConformance {
  private struct TooLarge: Codable {
    var id: UInt64 = .max
  }

  static let failures: [Requirement] = [
    .init("a constraint error names the violated constraint") { service in
      try await service.add(1, "Ada")
      let cases: [(SQL, PersistenceError.Constraint)] = [
        ("INSERT INTO item VALUES (1, 'Bea', 1)", .unique),
        ("INSERT INTO item VALUES (2, 'Ada', 1)", .unique),
        ("INSERT INTO item VALUES (2, NULL, 1)", .notNull),
        ("INSERT INTO item VALUES (2, 'Bea', -1)", .check),
        ("INSERT INTO part VALUES (1, 99)", .foreignKey),
      ]
      for (statement, constraint) in cases {
        try await requireFailure(.constraint(constraint), of: "\(statement) fails") {
          try await service.write { try $0.execute(statement) }
        }
      }
      try require(await service.names(), is: ["Ada"], "a failed write stores nothing")
    },
    .init("an invalid statement throws an error with its text and a remedy") { service in
      let error = try await requireFailure(.statement, of: "a wrong statement fails") {
        try await service.read { try $0.rows("SELECT nothing FROM item", as: Int.self) }
      }
      try require(error.sql, is: "SELECT nothing FROM item", "the error has the statement")
      try require(error.description.contains(error.remedy), "the description contains the remedy")
      try await requireFailure(.statement, of: "a missing table fails") {
        try await service.write { try $0.insert(Item(id: 1, name: "Ada"), into: "nowhere") }
      }
    },
    .init("bound values never appear in an error") { service in
      try await service.add(1, "Ada")
      let error = try await requireFailure(.constraint(.unique), of: "a key is stored once") {
        try await service.write {
          try $0.execute("INSERT INTO item (id, name) VALUES (\(1), \("a secret"))")
        }
      }
      try require(!"\(error)".contains("secret"), "no values in \(error)")
    },
    .init("a row that does not fit is a decoding error that names the column") { service in
      let cases: [SQL] = [
        "SELECT 1 AS id", "SELECT NULL AS id, 'a' AS name", "SELECT 'x' AS id, 'a' AS name",
        "SELECT 1.5 AS id, 'a' AS name",
      ]
      for query in cases {
        let error = try await requireFailure(.decoding, of: "\(query) does not fit") {
          try await service.read { try $0.rows(query, as: Item.self) }
        }
        let named = error.message.contains("\"id\"") || error.message.contains("\"name\"")
        try require(named, "the column is in: \(error.message)")
      }
      try await requireFailure(.decoding, of: "300 does not fit eight bits") {
        try await service.read { try $0.row("SELECT 300", as: UInt8.self) }
      }
    },
    .init("a record that cannot be stored is an encoding error") { service in
      try await requireFailure(.encoding, of: "a number beyond 63 bits is rejected") {
        try await service.write { try $0.insert(TooLarge(), into: "item") }
      }
      try await requireFailure(.encoding, of: "a list is not a record") {
        try await service.write { try $0.insert([[1, 2]], into: "item") }
      }
      try await requireFailure(.encoding, of: "a key that the record lacks is rejected") {
        try await service.write {
          try $0.upsert(Item(id: 1, name: "Ada"), into: "item", key: ["other"])
        }
      }
    },
    .init("a body cannot begin or end transactions itself") { service in
      for statement: SQL in ["BEGIN", "COMMIT", "ROLLBACK"] {
        try await requireFailure(.statement, of: "\(statement) is rejected") {
          try await service.write { try $0.execute(statement) }
        }
      }
      try await service.add(1, "Ada")
      try require(await service.names(), is: ["Ada"], "the service continues to work")
    },
  ]
}
