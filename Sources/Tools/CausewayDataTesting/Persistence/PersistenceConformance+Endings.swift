import CausewayDatabase
import CausewayTesting

extension PersistenceConformance {
  static let endings: [Requirement] = [
    .init("a closed service rejects reads and writes, and closing twice does nothing") { service in
      try await service.add(1, "Ada")
      try await service.close()
      try await service.close()
      try await requireFailure(.closed, of: "a write after closing") {
        try await service.add(2, "Bea")
      }
      try await requireFailure(.closed, of: "a read after closing") { try await service.names() }
    },
    .init("closing ends live queries, and later live queries end immediately") { service in
      var versions = service.observeNames().makeAsyncIterator()
      try require(await versions.next(), is: [], "no rows yet")
      try await service.close()
      try require(await versions.next(), is: nil, "an end, not an error")
      var late = service.observeNames().makeAsyncIterator()
      try require(await late.next(), is: nil, "an immediate end")
    },
    .init("closing during reads and writes lets each of them end") { service in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for id in 1...20 {
          group.addTask {
            do {
              try await service.add(id, "\(id)")
              _ = try await service.names()
            } catch let error as PersistenceError where error.kind == .closed {}
          }
        }
        group.addTask { try await service.close() }
        try await group.waitForAll()
      }
    },
    .init("a cancelled task neither writes nor reads") { service in
      let task = Task {
        cancelCurrentTask()
        try await requireCancellation("a cancelled task does not write") {
          try await service.add(1, "never")
        }
        try await requireCancellation("a cancelled task does not read") {
          try await service.names()
        }
      }
      try await task.value
      try require(await service.names(), is: [], "nothing is stored")
    },
    .init("a write that is cancelled while it runs is stored completely or not at all") { service in
      let task = Task {
        do {
          try await service.write { transaction in
            try transaction.insert(Item(id: 1, name: "Ada"), into: "item")
            cancelCurrentTask()
            try transaction.insert(Item(id: 2, name: "Bea"), into: "item")
          }
          return ["Ada", "Bea"]
        } catch is CancellationError { return [] }
      }
      let stored = try await task.value
      try require(await service.names(), is: stored, "the rows match the outcome of the write")
    },
    .init("a live query in a cancelled task ends") { service in
      let task = Task {
        cancelCurrentTask()
        var versions = service.observeNames().makeAsyncIterator()
        return try await versions.next()
      }
      let rows = try await task.value
      try require(rows == nil, "an end")
      try await service.add(1, "Ada")
    },
  ]
}
