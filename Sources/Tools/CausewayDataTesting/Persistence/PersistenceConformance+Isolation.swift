import CausewayDatabase
import CausewayTesting

extension PersistenceConformance {
  static let isolation: [Requirement] = [
    .init("reads during writes never see a part of a transaction") { service in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for id in 1...40 {
          group.addTask {
            try await service.write { transaction in
              try transaction.insert(Item(id: id, name: "\(id)", size: 1), into: "item")
              try transaction.insert(Item(id: -id, name: "\(-id)", size: 1), into: "item")
            }
          }
          group.addTask {
            let counts = try await service.read { transaction in
              [
                try transaction.row("SELECT count(*) FROM item", as: Int.self) ?? -1,
                try transaction.rows("SELECT id FROM item", as: Int.self).count,
              ]
            }
            try require(counts[0] % 2 == 0, "a read sees whole transactions, not \(counts[0])")
            try require(counts[0], is: counts[1], "a read sees a snapshot of one moment")
          }
        }
        try await group.waitForAll()
      }
      try require(await service.names().count, is: 80, "all writes are stored")
    },
    .init("concurrent transactions that read and then write lose no update") { service in
      try await service.write {
        try $0.insert(Item(id: 1, name: "counter", size: 0), into: "item")
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 1...50 {
          group.addTask {
            try await service.write { transaction in
              let size = try transaction.row("SELECT size FROM item", as: Int.self) ?? 0
              try transaction.execute("UPDATE item SET size = \(size + 1)")
            }
          }
        }
        try await group.waitForAll()
      }
      let size = try await service.read { try $0.row("SELECT size FROM item", as: Int.self) }
      try require(size, is: 50, "each transaction counted")
    },
    .init("concurrent writes fail independently") { service in
      let failed = try await withThrowingTaskGroup(of: Int.self) { group in
        for id in 1...30 {
          group.addTask {
            do {
              try await service.write { transaction in
                try transaction.insert(Item(id: id, name: "\(id)"), into: "item")
                if id % 3 == 0 { throw Refused() }
              }
              return 0
            } catch is Refused { return 1 }
          }
        }
        return try await group.reduce(0, +)
      }
      try require(failed, is: 10, "only the writes that threw")
      try require(await service.names().count, is: 20, "the other writes are stored")
    },
    .init("many tasks can use a service concurrently") { service in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<8 {
          group.addTask {
            for step in 0..<10 {
              let id = worker * 100 + step
              try await service.add(id, "\(id)")
              let name = try await service.read {
                try $0.row("SELECT name FROM item WHERE id = \(id)", as: String.self)
              }
              try require(name, is: "\(id)", "a task reads its own writes")
            }
          }
        }
        try await group.waitForAll()
      }
      try require(await service.names().count, is: 80, "all writes are stored")
    },
  ]
}
