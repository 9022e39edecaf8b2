#if os(Linux)
  import CEpoll
  import Foundation

  /// The result of a rush.
  struct Rush {
    /// The times from each action to its own patch, in ascending order.
    var times: [Duration] = []
    /// The answers with another status than 200.
    var refusals = 0
    /// The tabs that had not undone their last action ten seconds after the end.
    var missing = 0
    /// The time from the first action to the last patch.
    var duration = Duration.zero

    func percentile(_ part: Double) -> Duration {
      times.isEmpty ? .zero : times[min(times.count - 1, Int(Double(times.count) * part))]
    }
  }

  extension Crowd {
    /// Lets all tabs act regularly, and measures the time from each action to its own patch.
    ///
    /// A tab sends its next action after the answer and the patch of its previous one. If these are
    /// late, the time of the next action still counts from its planned start. Each tab performs an
    /// even number of actions, so it can undo what it has done.
    ///
    /// - Parameter action: Returns the action of a tab in a round, and a text of its patch.
    func rush(
      every interval: Duration, for duration: Duration,
      action: (_ tab: Int, _ round: Int) -> (text: String, marker: String)
    ) throws -> Rush {
      let port = tabs[0].stream.port
      let actors = try tabs.map { _ in try Socket(port: port) }
      let answers = epoll_create1(0)
      defer { close(answers) }
      for (index, actor) in actors.enumerated() {
        causeway_epoll_add(answers, actor.descriptor, UInt32(index))
      }
      var isWaiting = [Bool](repeating: false, count: tabs.count)
      var rounds = [Int](repeating: 0, count: tabs.count)
      let start = ContinuousClock.now
      let end = start + duration
      var next = tabs.indices.map { start + interval * $0 / tabs.count }
      var sent = next
      var rush = Rush()
      let indices = Dictionary(
        uniqueKeysWithValues: zip(tabs.map { ObjectIdentifier($0) }, tabs.indices))
      while true {
        let now = ContinuousClock.now
        if now >= end {
          let open = tabs.indices.count {
            isWaiting[$0] || !tabs[$0].marker.isEmpty || !rounds[$0].isMultiple(of: 2)
          }
          if open == 0 || now >= end + .seconds(10) {
            rush.missing = open
            break
          }
        }
        for index in tabs.indices
        where next[index] <= now && !isWaiting[index] && tabs[index].marker.isEmpty
          && (now < end || !rounds[index].isMultiple(of: 2))
        {
          let (text, marker) = action(index, rounds[index])
          rounds[index] += 1
          tabs[index].marker = Array(marker.utf8)
          sent[index] = next[index]
          next[index] += interval
          isWaiting[index] = true
          try actors[index].send(tabs[index].request(text))
        }
        try poll(timeout: 1) { tab in
          guard try tab.read(), let index = indices[ObjectIdentifier(tab)] else { return }
          rush.times.append(ContinuousClock.now - sent[index])
        }
        try withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { numbers in
          let count = Int(causeway_epoll_wait(answers, numbers.baseAddress, 0))
          for number in numbers[..<max(0, count)] {
            let index = Int(number)
            if try actors[index].exchange("").status != 200 {
              rush.refusals += 1
              tabs[index].marker = []
            }
            isWaiting[index] = false
          }
        }
      }
      for tab in tabs { tab.marker = [] }
      rush.duration = ContinuousClock.now - start
      rush.times.sort()
      return rush
    }
  }
#endif
