#if os(Linux)
  import Foundation

  /// Measures a server with real connections, and compares it with a server that only sends.
  struct LoadTable {
    /// The program of the example app; nil for the board of this benchmark.
    private(set) var harbor: URL?
    /// Whether the example app is inspected.
    private var isInspected = false
    /// Whether each session has its own copy of the board.
    private var hasCopies = false
    /// The number of measured actions of a spread.
    private var rounds = 9
    /// The idle tabs come in addition to the people who fill the board.
    private static let sessionLimit = 2_000
    static let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()

    static let usage = """
      usage: WebBenchmarks [--copies] [--harbor PROGRAM [--inspect]] [--rounds COUNT] [MEASUREMENT …]

        TABSxROWS      the time until all tabs show an action, and the memory of an idle session
        page=ROWS      the time and the size of a page: the first one after a start, and later ones, and
                       the time of a join in the example app. More than 2,000 rows of it are imported
        lists=ROWS     the same for a page far from now and for the list of people of the example app
        focus=TABS     the processor time of a join beside tabs on each part of the example app
        view=SECONDS   500 tabs perform 2 actions a second that only change the tab
        store=SECONDS  500 tabs perform 2 actions a second that change the board
        people=SECONDS people join and leave, 20 and 500 of them, with 2 actions a second each
        accounts=SECONDS
                       the same on a host with accounts: each person has an account of her own, in
                       one group
        idle=TABS      the memory of an idle session
        soak=SECONDS   memory and descriptors while tabs come, act and go

      """

    static func run(_ arguments: [String]) throws {
      raiseFileLimit()
      var table = LoadTable()
      var measurements: [String] = []
      var rest = arguments[...]
      while let argument = rest.popFirst() {
        switch argument {
        case "--copies": table.hasCopies = true
        case "--harbor": table.harbor = rest.popFirst().map { URL(fileURLWithPath: $0) }
        case "--inspect": table.isInspected = true
        case "--rounds": table.rounds = rest.popFirst().flatMap { Int($0) } ?? table.rounds
        default: measurements.append(argument)
        }
      }
      if measurements.isEmpty {
        measurements = ["100x100", "300x100", "1000x100", "1000x10", "1000x1000", "store=10"]
      }
      for measurement in measurements { try table.measure(measurement) }
    }

    private func measure(_ measurement: String) throws {
      let numbers = measurement.split(separator: "x").compactMap { Int($0) }
      let parts = measurement.split(separator: "=")
      switch (parts.first, parts.last.flatMap { Int($0) }) {
      case ("view", let seconds?): try rush(for: .seconds(seconds), isStored: false)
      case ("store", let seconds?): try rush(for: .seconds(seconds), isStored: true)
      case ("people", let seconds?): try people(for: .seconds(seconds), hasAccounts: false)
      case ("accounts", let seconds?): try people(for: .seconds(seconds), hasAccounts: true)
      case ("idle", let tabs?): try idle(tabs: tabs)
      case ("soak", let seconds?): try soak(for: .seconds(seconds))
      case ("page", let rows?): try load(rows: rows)
      case ("lists", let rows?): try lists(rows: rows)
      case ("focus", let tabs?): try focus(tabs: tabs)
      case _ where numbers.count == 2: try spread(tabs: numbers[0], rows: numbers[1])
      default:
        print(Self.usage)
        exit(64)
      }
    }

    /// Starts a server, runs a measurement, and removes the server's data.
    ///
    /// - Parameter hasAccounts: Whether each tab has an account of its own. Only the example app has
    ///   accounts.
    func withSubject(
      rows: Int, hasAccounts: Bool = false, _ body: (Subject) throws -> Void
    ) throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "load-\(UUID())")
      defer { try? FileManager.default.removeItem(at: folder) }
      let isImported = harbor != nil && rows > HarborBoard.createdRows
      if isImported, let harbor { try HarborBoard.load(rows: rows, by: harbor, into: folder) }
      let club = hasAccounts && !isImported ? try harbor.map { try Club($0, data: folder) } : nil
      let server =
        if let harbor {
          try ServerProcess(
            harbor,
            ["--port", "0", "--empty", "--data", folder.path, "--sessions", "\(Self.sessionLimit)"]
              + (isInspected ? ["--inspect"] : []) + (club == nil ? [] : Club.options))
        } else {
          try ServerProcess(
            Self.own, ["--serve-board", hasCopies ? "copies" : "shared", "\(rows)"])
        }
      defer { server.stop() }
      let crowd = try Crowd(port: server.port, club: club)
      try crowd.grow(to: 1)
      let ids =
        harbor == nil ? [] : try HarborBoard.fill(crowd, rows: rows, isImported: isImported)
      try body(Subject(server: server, crowd: crowd, rows: rows, ids: ids))
    }

    /// Measures when all tabs show an action of one tab.
    private func spread(tabs: Int, rows: Int) throws {
      try withSubject(rows: rows) { subject in
        let (server, crowd) = (subject.server, subject.crowd)
        let memory = try subject.grow(to: tabs)
        let floor = try ServerProcess(Self.own, ["--serve-bare"])
        defer { floor.stop() }
        let bare = try Crowd(port: floor.port)
        try bare.grow(to: tabs)
        var (first, last, middle): ([Duration], [Duration], [Duration]) = ([], [], [])
        var cpu: [Duration] = []
        var (bareLast, bareCPU): ([Duration], [Duration]) = ([], [])
        for round in 0...rounds {
          let name = "Runner \(round)."
          if subject.isHarbor { try crowd.act(#"{"setName":{"name":"\#(name)"}}"#) }
          let action = subject.join(row: round, name: name)
          try crowd.settle()
          let (work, bareWork) = (try server.processorTime, try floor.processorTime)
          let times = try crowd.spread(action, marker: name)
          try crowd.settle()
          let used = try server.processorTime - work
          let bareTimes = try bare.spread(action.replacing("\"id\"", with: name), marker: name)
          let bareUsed = try floor.processorTime - bareWork
          // The first round warms up and does not count.
          if round == 0 { continue }
          first.append(times[0])
          last.append(times[times.count - 1])
          middle.append(times[times.count / 2])
          cpu.append(used)
          bareLast.append(bareTimes[bareTimes.count - 1])
          bareCPU.append(bareUsed)
        }
        print(
          "\(tabs) tabs × \(rows) rows: first tab \(Self.text(first)), middle tab "
            + "\(Self.text(middle)), last tab \(Self.text(last)), processor \(Self.text(cpu)), idle session "
            + "\(String(format: "%.1f", memory)) kB; floor: last tab \(Self.text(bareLast)), "
            + "processor \(Self.text(bareCPU))")
      }
    }

    /// The median, and the largest value if there are several.
    static func text(_ times: [Duration]) -> String {
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
#endif
