#if os(Linux)
  import CEpoll
  import Foundation

  extension Crowd {
    /// Lets all tabs act regularly, and measures the time from each action to its own patch.
    ///
    /// If an action waits for the answer to the previous action, its time counts from its planned
    /// start.
    ///
    /// - Returns: The times in ascending order.
    func rush(
      every interval: Duration, for duration: Duration, action: (Int, String) -> String
    ) throws -> [Duration] {
      let port = tabs[0].stream.port
      let actors = try tabs.map { _ in try Socket(port: port) }
      let answers = epoll_create1(0)
      defer { close(answers) }
      for (index, actor) in actors.enumerated() {
        causeway_epoll_add(answers, actor.descriptor, UInt32(index))
      }
      var isWaiting = [Bool](repeating: false, count: tabs.count)
      let start = ContinuousClock.now
      var next = tabs.indices.map { start + interval * $0 / tabs.count }
      var sent = next
      var times: [Duration] = []
      var round = 0
      let indices = Dictionary(
        uniqueKeysWithValues: zip(tabs.map { ObjectIdentifier($0) }, tabs.indices))
      while ContinuousClock.now < start + duration || tabs.contains(where: { !$0.marker.isEmpty }) {
        let now = ContinuousClock.now
        for index in tabs.indices
        where now < start + duration && next[index] <= now && !isWaiting[index]
          && tabs[index].marker.isEmpty
        {
          round += 1
          let marker = "mark-\(index)-\(round)."
          tabs[index].marker = Array(marker.utf8)
          sent[index] = next[index]
          next[index] += interval
          isWaiting[index] = true
          try actors[index].send(tabs[index].request(action(index, marker)))
        }
        try poll(timeout: 1) { tab in
          guard try tab.read(), let index = indices[ObjectIdentifier(tab)] else { return }
          times.append(ContinuousClock.now - sent[index])
        }
        try withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { numbers in
          let count = Int(causeway_epoll_wait(answers, numbers.baseAddress, 0))
          for number in numbers[..<max(0, count)] {
            let index = Int(number)
            let answer = try actors[index].exchange("")
            guard answer.status == 200 else { throw Unexpected(answer: answer.head + answer.body) }
            isWaiting[index] = false
          }
        }
        guard now < start + duration + .seconds(20) else { throw POSIXError(.ETIMEDOUT) }
      }
      return times.sorted()
    }
  }
#endif
