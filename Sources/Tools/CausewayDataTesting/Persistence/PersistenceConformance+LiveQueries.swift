import CausewayDatabase
import CausewayTesting

extension PersistenceConformance {
  static let liveQueries: [Requirement] = [
    .init("a live query delivers the current rows and then each version") { service in
      try await service.add(1, "Ada")
      var versions = service.observeNames().makeAsyncIterator()
      try require(await versions.next(), is: ["Ada"], "the current rows")
      try await service.add(2, "Bea")
      try require(await versions.next(), is: ["Ada", "Bea"], "the next version")
      try await service.write { try $0.execute("DELETE FROM item") }
      try require(await versions.next(), is: [], "the version after a deletion")
    },
    .init("no commit after the call of observe is missed") { service in
      let query = service.observeNames()
      try await service.add(1, "Ada")
      var versions = query.makeAsyncIterator()
      while try await versions.next() != ["Ada"] {}
    },
    .init("a new consumer never starts with rows from before its call") { service in
      var first = service.observeNames().makeAsyncIterator()
      try require(await first.next(), is: [], "no rows yet")
      for id in 1...50 {
        try await service.add(id, "\(id)")
        var late = service.observeNames().makeAsyncIterator()
        try require(await late.next()?.count, is: id, "the rows at the call")
      }
    },
    .init("a slow consumer gets only the latest rows") { service in
      var slow = service.observeNames().makeAsyncIterator()
      try require(await slow.next(), is: [], "no rows yet")
      var quick = service.observeNames().makeAsyncIterator()
      for id in 1...20 { try await service.add(id, "\(id)") }
      while try await quick.next()?.count != 20 {}
      try require(await slow.next()?.count, is: 20, "the latest")
    },
    .init("rolled back changes are not delivered") { service in
      var versions = service.observeNames().makeAsyncIterator()
      try require(await versions.next(), is: [], "no rows yet")
      do {
        try await service.write { transaction in
          try transaction.insert(Item(id: 1, name: "never"), into: "item")
          throw Refused()
        }
      } catch is Refused {}
      try await service.add(2, "Bea")
      try require(await versions.next(), is: ["Bea"], "only committed rows")
    },
    .init("equal rows are not delivered twice") { service in
      var versions = service.observe("SELECT count(*) FROM item", as: Int.self).makeAsyncIterator()
      try require(await versions.next(), is: [0], "no rows yet")
      try await service.add(1, "Ada")
      try require(await versions.next(), is: [1], "one row")
      try await service.write { try $0.execute("UPDATE item SET name = 'Bea'") }
      try await service.add(2, "Cara")
      try require(await versions.next(), is: [2], "the count changed once")
    },
    .init("the same text with other values is another query") { service in
      var small = service.observe("SELECT id FROM item WHERE size < \(5)", as: Int.self)
        .makeAsyncIterator()
      var large = service.observe("SELECT id FROM item WHERE size < \(50)", as: Int.self)
        .makeAsyncIterator()
      try await service.write { transaction in
        try transaction.insert(Item(id: 1, name: "a", size: 1), into: "item")
        try transaction.insert(Item(id: 2, name: "b", size: 10), into: "item")
      }
      while try await small.next() != [1] {}
      while try await large.next().map(Set.init) != [1, 2] {}
    },
    .init("every consumer gets the last version, and only whole transactions") {
      service in
      let pairs = 20
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<5 {
          let query = service.observeNames()
          group.addTask {
            var last = -1
            for try await names in query {
              try require(names.count % 2 == 0, "whole transactions, not \(names.count) rows")
              try require(names.count > last, "the rows increase, from \(last) to \(names.count)")
              last = names.count
              if last == pairs * 2 { return }
            }
            throw BrokenPromise("Broken promise: a live query continues. It ended at \(last).")
          }
        }
        for id in 1...pairs {
          group.addTask {
            try await service.write { transaction in
              try transaction.insert(Item(id: id, name: "\(id)"), into: "item")
              try transaction.insert(Item(id: -id, name: "\(-id)"), into: "item")
            }
          }
        }
        try await group.waitForAll()
      }
    },
    .init("a failed query throws to its consumers, and the service continues to work") { service in
      var wrong = service.observe("SELECT nothing FROM item", as: Int.self).makeAsyncIterator()
      do {
        _ = try await wrong.next()
        throw BrokenPromise("Broken promise: a wrong query throws.")
      } catch let error as PersistenceError where error.kind == .statement {}
      try require(await wrong.next(), is: nil, "the query has ended after the error")
      var versions = service.observe("SELECT name FROM item", as: Int.self).makeAsyncIterator()
      try require(await versions.next(), is: [], "no rows yet")
      try await service.add(1, "Ada")
      do {
        _ = try await versions.next()
        throw BrokenPromise("Broken promise: a row that does not fit throws.")
      } catch let error as PersistenceError where error.kind == .decoding {}
      var again = service.observeNames().makeAsyncIterator()
      try require(await again.next(), is: ["Ada"], "the service continues to work")
    },
    .init("a cancelled consumer ends, and the others continue") { service in
      let query = service.observeNames()
      var other = query.makeAsyncIterator()
      try require(await other.next(), is: [], "no rows yet")
      let (started, start) = AsyncStream.makeStream(of: Void.self)
      let consumer = Task {
        for try await _ in query { start.finish() }
      }
      for await _ in started {}
      consumer.cancel()
      try await consumer.value
      try await service.add(1, "Ada")
      try require(await other.next(), is: ["Ada"], "the other consumers continue")
    },
  ]
}
