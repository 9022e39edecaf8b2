#if os(Linux)
  import Foundation

  /// Measures a server with real connections, and compares it with a server that only sends.
  enum LoadTable {
    /// - Parameter arguments: `[--copies] [--harbor PATH] [TABSxROWS …] [rush]`
    static func run(_ arguments: [String]) throws {
      raiseFileLimit()
      var arguments = arguments
      let harbor = arguments.firstIndex(of: "--harbor").map { index in
        let path = arguments[index + 1]
        arguments.removeSubrange(index...index + 1)
        return URL(fileURLWithPath: path)
      }
      let kind = arguments.contains("--copies") ? "copies" : "shared"
      arguments.removeAll { $0 == "--copies" }
      if arguments.isEmpty {
        arguments = ["100x100", "300x100", "1000x100", "1000x10", "1000x1000", "rush"]
      }
      for argument in arguments {
        let numbers = argument.split(separator: "x").compactMap { Int($0) }
        if argument == "rush" {
          try rush(kind)
        } else if numbers.count == 2 {
          try measure(tabs: numbers[0], rows: numbers[1], kind, harbor)
        } else {
          print("not a size such as 1000x100: \(argument)")
          exit(64)
        }
      }
    }

    private static let rounds = 9
    private static let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()

    private static func measure(tabs: Int, rows: Int, _ kind: String, _ harbor: URL?) throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "load-\(UUID())")
      defer { try? FileManager.default.removeItem(at: folder) }
      let server =
        if let harbor {
          try ServerProcess(harbor, ["--port", "0", "--empty", "--data", folder.path])
        } else {
          try ServerProcess(own, ["--serve-board", kind, "\(rows)"])
        }
      defer { server.stop() }
      let floor = try ServerProcess(own, ["--serve-bare"])
      defer { floor.stop() }
      let crowd = try Crowd(port: server.port)
      try crowd.grow(to: 1)
      var ids: [String] = []
      if harbor != nil { ids = try HarborBoard.fill(crowd, rows: rows) }
      // The first sessions also pay for the memory that all sessions share.
      try crowd.grow(to: 20)
      try crowd.settle()
      let before = try server.memory
      try crowd.grow(to: tabs)
      try crowd.settle()
      let memory = Double(try server.memory - before) / Double(tabs - 20)
      let bare = try Crowd(port: floor.port)
      try bare.grow(to: tabs)
      var (last, middle, cpu): ([Duration], [Duration], [Duration]) = ([], [], [])
      var (bareLast, bareCPU): ([Duration], [Duration]) = ([], [])
      for round in 0...rounds {
        let name = "Runner \(round)."
        var action = #"{"join":{"row":\#(round % rows),"name":"\#(name)"}}"#
        if harbor != nil {
          try crowd.act(#"{"setName":{"name":"\#(name)"}}"#)
          action = #"{"join":{"id":"\#(ids[round % ids.count])"}}"#
        }
        try crowd.settle()
        let (work, bareWork) = (try server.processorTime, try floor.processorTime)
        let times = try crowd.spread(action, marker: name)
        try crowd.settle()
        let used = try server.processorTime - work
        let bareTimes = try bare.spread(action.replacing("\"id\"", with: name), marker: name)
        let bareUsed = try floor.processorTime - bareWork
        // The first round warms up and does not count.
        if round == 0 { continue }
        last.append(times[times.count - 1])
        middle.append(times[times.count / 2])
        cpu.append(used)
        bareLast.append(bareTimes[bareTimes.count - 1])
        bareCPU.append(bareUsed)
      }
      print(
        "\(tabs) tabs × \(rows) rows: last tab \(text(last)), middle tab \(text(middle)), "
          + "processor \(text(cpu)), idle session \(String(format: "%.1f", memory)) kB; "
          + "floor: last tab \(text(bareLast)), processor \(text(bareCPU))")
    }

    private static func rush(_ kind: String) throws {
      let server = try ServerProcess(own, ["--serve-board", kind, "100"])
      defer { server.stop() }
      let crowd = try Crowd(port: server.port)
      try crowd.grow(to: 500)
      try crowd.settle()
      let (before, work) = (try server.memory, try server.processorTime)
      let start = ContinuousClock.now
      let times = try crowd.rush(every: .milliseconds(500), for: .seconds(10)) { index, marker in
        #"{"join":{"row":\#(index % 100),"name":"\#(marker)"}}"#
      }
      let share = (try server.processorTime - work) / (ContinuousClock.now - start)
      let percentile = { (part: Double) in
        text([times[min(times.count - 1, Int(Double(times.count) * part))]])
      }
      print(
        "500 tabs × 2 actions a second, \(times.count) actions: median \(percentile(0.5)), "
          + "p99 \(percentile(0.99)), slowest \(percentile(1)), processors \(String(format: "%.2f", share)), "
          + "memory +\(try server.memory - before) kB")
    }

    /// The median, and the largest value if there are several.
    private static func text(_ times: [Duration]) -> String {
      let sorted = times.map { $0 / .milliseconds(1) }.sorted()
      let median = String(format: "%.1f", sorted[sorted.count / 2])
      return sorted.count == 1
        ? "\(median) ms"
        : "\(median) ms (worst \(String(format: "%.1f", sorted[sorted.count - 1])))"
    }

    private static func raiseFileLimit() {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = limit.rlim_max
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
  }

  /// The board of the example app.
  enum HarborBoard {
    /// Creates activities, and returns their ids.
    static func fill(_ crowd: Crowd, rows: Int) throws -> [String] {
      try crowd.act(#"{"setName":{"name":"Host"}}"#)
      for index in 0..<rows {
        let day =
          "2027-\(String(format: "%02d", index / 28 % 12 + 1))-\(String(format: "%02d", index % 28 + 1))"
        try crowd.act(
          #"{"create":{"attempt":\#(index),"form":{"title":"Activity \#(index)","place":"At the pier","notes":"Bring gloves.","start":"\#(day)T18:30"}}}"#
        )
      }
      try crowd.settle()
      try crowd.grow(to: 2)
      let ids = crowd.tabs[1].state.matches(of: /title-([0-9a-f-]{36})/).map { String($0.1) }
      guard Set(ids).count == rows else { throw Unexpected(answer: "\(ids.count) activities") }
      return Array(Set(ids)).sorted()
    }
  }
#endif
