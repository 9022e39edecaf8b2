import CausewayDatabase
import CausewayTesting

extension PersistenceConformance {
  static let writing: [Requirement] = [
    .init("a write that throws changes nothing and rethrows the error") { service in
      do {
        try await service.write { transaction in
          try transaction.insert(Item(id: 1, name: "Ada"), into: "item")
          throw Refused()
        }
        throw BrokenPromise("Broken promise: the error of the body is rethrown.")
      } catch is Refused {}
      try require(await service.names(), is: [], "nothing is stored")
    },
    .init("a transaction reads what it has written") { service in
      let names = try await service.write { transaction in
        try transaction.insert(Item(id: 1, name: "Ada"), into: "item")
        return try transaction.rows("SELECT name FROM item", as: String.self)
      }
      try require(names, is: ["Ada"], "its own rows")
    },
    .init("a failed statement changes nothing; the transaction continues or stores nothing") {
      service in
      let outcome: [String]
      do {
        try await service.write { transaction in
          try transaction.insert(Item(id: 1, name: "Ada"), into: "item")
          do {
            try transaction.execute("INSERT INTO item VALUES (2, 'Bea', 1), (1, 'twice', 1)")
            throw BrokenPromise("Broken promise: a key is stored once.")
          } catch let error as PersistenceError where error.kind == .constraint(.unique) {}
          try transaction.insert(Item(id: 3, name: "Cara"), into: "item")
        }
        outcome = ["Ada", "Cara"]
      } catch let error as PersistenceError where error.kind == .aborted {
        outcome = []
      }
      try require(await service.names(), is: outcome, "all or nothing")
    },
    .init("executeAndCount counts the rows that it changed") { service in
      let counts = try await service.write { transaction in
        [
          try transaction.executeAndCount(
            "INSERT INTO item VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3)"),
          try transaction.executeAndCount("UPDATE item SET size = \(9) WHERE id > \(1)"),
          try transaction.executeAndCount("DELETE FROM item WHERE id > 99"),
          try transaction.executeAndCount("DELETE FROM item"),
        ]
      }
      try require(counts, is: [3, 2, 0, 3], "the counts")
    },
    .init("insert, upsert and delete find rows by key") { service in
      let deleted = try await service.write { transaction in
        try transaction.insert(Item(id: 1, name: "Ada", size: 1), into: "item")
        try transaction.upsert(
          [Item(id: 1, name: "Ada II"), Item(id: 2, name: "Bea", size: 2)], into: "item")
        try transaction.upsert(Item(id: 2, name: "Bea", size: 7), into: "item", key: ["name"])
        try transaction.insert(Item(id: 3, name: "Cara"), into: "item")
        return [
          try transaction.delete(Item(id: 3, name: "whoever"), from: "item"),
          try transaction.delete(Item(id: 9, name: "nobody"), from: "item"),
        ]
      }
      try require(deleted, is: [true, false], "delete returns whether there was a row")
      let items = try await service.read {
        try $0.rows("SELECT * FROM item ORDER BY id", as: Item.self)
      }
      try require(
        items, is: [Item(id: 1, name: "Ada II"), Item(id: 2, name: "Bea", size: 7)], "by key")
    },
    .init("records with and without values are stored in one call") { service in
      let items = (1...300).map { Item(id: $0, name: "\($0)", size: $0 % 3 == 0 ? nil : $0) }
      try await service.write { try $0.insert(items, into: "item") }
      let found = try await service.read {
        try $0.rows("SELECT * FROM item ORDER BY id", as: Item.self)
      }
      try require(found, is: items, "all of them")
    },
    .init("an empty list of records stores nothing") { service in
      try await service.write { try $0.insert([Item](), into: "item") }
      try require(await service.names(), is: [], "nothing")
    },
  ]
}
