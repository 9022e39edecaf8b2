import CausewayDatabase
import CausewayTesting

extension PersistenceConformance {
  private static let hostile = [
    "'; DROP TABLE item; --", "' OR '1'='1", "\"; DELETE FROM item; --", "Robert'); --",
    "\\'; DROP TABLE item; --", "?", "$1", ":name", "%", "_", "/* */", "--", ";",
    "x' UNION SELECT name FROM item --", "\u{2019}; DROP TABLE item", "NULL", "1; SELECT 1",
    "(SELECT 1)", "\r\n;", "||'a'", "char(0x27)",
  ]

  static let injection: [Requirement] = [
    .init("hostile text is stored and found as text, and never runs") { service in
      for (id, text) in hostile.enumerated() { try await service.add(id, text) }
      try require(await service.names(), is: hostile, "the names as they were stored")
      for (id, text) in hostile.enumerated() {
        let ids = try await service.read {
          try $0.rows("SELECT id FROM item WHERE name = \(text)", as: Int.self)
        }
        try require(ids, is: [id], "the query for \(text) finds only its row")
      }
      try await service.write { transaction in
        for (id, text) in hostile.enumerated() {
          try transaction.upsert(Item(id: id, name: text + "!"), into: "item")
          try transaction.execute("UPDATE item SET name = \(text) WHERE name = \(text + "!")")
        }
      }
      try require(await service.names(), is: hostile, "the same names after two changes")
    },
    .init("a query with a hostile list finds its elements") { service in
      for (id, text) in hostile.enumerated() { try await service.add(id, text) }
      let ids = try await service.read {
        try $0.rows(
          "SELECT id FROM item WHERE name IN \(list: hostile) ORDER BY id", as: Int.self)
      }
      try require(ids, is: Array(hostile.indices), "all of them")
      let none = try await service.read {
        try $0.rows("SELECT id FROM item WHERE name IN \(list: [String]())", as: Int.self)
      }
      try require(none, is: [], "an empty list matches no row")
    },
    .init("hostile table and column names are only names") { service in
      try await service.add(1, "Ada")
      for name in hostile where !name.isEmpty {
        let found = try await service.read {
          try $0.row(
            "SELECT \(identifier: name).name FROM item AS \(identifier: name)", as: String.self)
        }
        try require(found, is: "Ada", "\(name) is a name")
        try await requireFailure(.statement, of: "there is no table \(name)") {
          try await service.write { try $0.insert(Item(id: 2, name: "Bea"), into: name) }
        }
        try await requireFailure(.encoding, .statement, of: "there is no key \(name)") {
          try await service.write {
            try $0.upsert(Item(id: 2, name: "Bea"), into: "item", key: [name])
          }
        }
      }
      try require(await service.names(), is: ["Ada"], "nothing was dropped or added")
    },
  ]
}
