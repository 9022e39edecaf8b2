import CausewayDatabase
import CausewayTesting

extension PersistenceConformance {
  static let reading: [Requirement] = [
    .init("a read sees all writes that have returned") { service in
      try await service.add(1, "Ada")
      try require(await service.names(), is: ["Ada"], "a read sees the writes before it")
    },
    .init("rows have the order of the query") { service in
      try await service.write { transaction in
        try transaction.insert(
          [Item(id: 2, name: "b"), Item(id: 3, name: "a"), Item(id: 1, name: "c")], into: "item")
      }
      let names = try await service.read {
        try $0.rows("SELECT * FROM item ORDER BY name", as: Item.self).map(\.id)
      }
      try require(names, is: [3, 2, 1], "the rows are ordered")
    },
    .init("a query without rows returns no rows") { service in
      let rows = try await service.read { try $0.rows("SELECT * FROM item", as: Item.self) }
      let row = try await service.read { try $0.row("SELECT * FROM item", as: Item.self) }
      try require(rows, is: [], "no rows")
      try require(row == nil, "no first row")
    },
    .init("row returns the first row, and the service continues to work") { service in
      try await service.write { transaction in
        try transaction.insert((1...500).map { Item(id: $0, name: "\($0)") }, into: "item")
      }
      let first = try await service.read { transaction in
        let first = try transaction.row("SELECT * FROM item ORDER BY id", as: Item.self)
        let again = try transaction.row("SELECT * FROM item ORDER BY id", as: Item.self)
        return [first, again]
      }
      let one = Item(id: 1, name: "1")
      try require(first, is: [one, one], "the first row, twice")
      try await service.add(501, "501")
    },
    .init("columns are found by name, in any order") { service in
      let items = try await service.read {
        try $0.rows(
          """
          SELECT 'Ada' AS name, 1 AS id, 7 AS more, 2 AS size
          UNION ALL SELECT 'Bea', 2, 7, NULL ORDER BY id
          """, as: Item.self)
      }
      try require(
        items, is: [Item(id: 1, name: "Ada", size: 2), Item(id: 2, name: "Bea")], "by name")
    },
    .init("a single value comes from the first column") { service in
      let found = try await service.read { transaction in
        (
          try transaction.row("SELECT 'sail', 1", as: String.self),
          try transaction.rows("SELECT NULL UNION ALL SELECT 2", as: Int?.self)
        )
      }
      try require(found.0, is: "sail", "the first column")
      try require(Set(found.1), is: [nil, 2], "an optional value")
    },
    .init("a read cannot change anything") { service in
      try await service.add(1, "Ada")
      for query: SQL in [
        "DELETE FROM item RETURNING id", "INSERT INTO item VALUES (2, 'Bea', NULL) RETURNING id",
        "UPDATE item SET name = 'x' RETURNING id",
      ] {
        try await requireFailure(.readOnly, of: "a read rejects \(query)") {
          try await service.read { try $0.rows(query, as: Int.self) }
        }
      }
      try require(await service.names(), is: ["Ada"], "nothing changed")
    },
    .init("a read rethrows the error of its body") { service in
      do {
        try await service.read { _ in throw Refused() }
      } catch is Refused { return }
      throw BrokenPromise("Broken promise: the error of the body is rethrown.")
    },
  ]
}
