#if os(Linux)
  import Foundation

  /// Many sessions for a longer time.
  extension LoadTable {
    private static let rows = 1_000
    private static let sessions = 500
    private static let interval = Duration.milliseconds(500)

    /// Lets 500 tabs perform two actions a second.
    func rush(for duration: Duration, isStored: Bool) throws {
      try withSubject(rows: Self.rows) { subject in
        try subject.grow(to: Self.sessions, perBrowser: 1)
        try subject.setNames()
        let load = Load(subject.server)
        let before = try load.start()
        let rush = try subject.crowd.rush(every: Self.interval, for: duration) {
          isStored ? subject.change($0, $1) : subject.look($0, $1)
        }
        print(
          "\(Self.sessions) tabs × 2 \(isStored ? "stored" : "viewing") actions a second, "
            + "\(Self.rows) rows: \(Self.text(rush)); \(try load.text(since: before, rush))")
      }
    }

    /// Opens sessions that do nothing.
    func idle(tabs: Int) throws {
      try withSubject(rows: Self.rows) { subject in
        let crowd = subject.crowd
        try crowd.grow(to: 20)
        try crowd.settle()
        let before = try subject.server.memory
        try crowd.load(tabs)
        let loaded = Double(try subject.server.memory - before) / Double(tabs)
        try crowd.connect()
        try crowd.settle()
        let memory = Double(try subject.server.memory - before) / Double(tabs)
        let work = try subject.server.processorTime
        sleep(10)
        let share = (try subject.server.processorTime - work) / .seconds(10)
        print(
          "\(tabs) idle tabs × \(Self.rows) rows: \(String(format: "%.1f", memory)) kB each "
            + "(\(String(format: "%.1f", loaded)) kB before the stream opens), processors \(String(format: "%.3f", share))"
        )
      }
    }

    /// Repeats rounds in which 100 new tabs come, act for ten seconds, and go.
    func soak(for duration: Duration) throws {
      try withSubject(rows: Self.rows) { subject in
        let server = subject.server
        let end = ContinuousClock.now + duration
        var round = 0
        while ContinuousClock.now < end {
          let crowd = try Crowd(port: server.port)
          try crowd.grow(to: 100, perBrowser: 1)
          let visit = Subject(server: server, crowd: crowd, rows: subject.rows, ids: subject.ids)
          try visit.setNames()
          let rush = try crowd.rush(every: Self.interval, for: .seconds(10), action: visit.change)
          round += 1
          print(
            "soak \(round): \(Self.text(rush)); \(try server.memory) kB, "
              + "\(try server.descriptors) descriptors")
        }
      }
    }

    private static func text(_ rush: Rush) -> String {
      "\(rush.times.count) actions, \(rush.refusals) refused, \(rush.missing) without a patch, "
        + "median \(text([rush.percentile(0.5)])), p99 \(text([rush.percentile(0.99)])), "
        + "slowest \(text([rush.percentile(1)]))"
    }
  }

  /// The processor time of a server and the load of the machine during a measurement.
  private struct Load {
    let server: ServerProcess

    init(_ server: ServerProcess) { self.server = server }

    func start() throws -> (work: Duration, memory: Int) {
      (try server.processorTime, try server.memory)
    }

    func text(since before: (work: Duration, memory: Int), _ rush: Rush) throws -> String {
      let work = try server.processorTime - before.work
      var averages = [0.0, 0, 0]
      getloadavg(&averages, 3)
      return "server: processors \(String(format: "%.2f", work / rush.duration)), "
        + "\(String(format: "%.2f", work / .milliseconds(1) / Double(max(1, rush.times.count)))) ms "
        + "an action, memory +\(try server.memory - before.memory) kB; "
        + "load average of the machine \(String(format: "%.1f", averages[0]))"
    }
  }
#endif
