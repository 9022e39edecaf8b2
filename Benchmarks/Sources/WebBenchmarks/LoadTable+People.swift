#if os(Linux)
  import Foundation

  /// People who join and leave activities, each with a tab and a name of their own.
  extension LoadTable {
    private static let boardRows = 100
    /// The number of people who have created the board, and one person who only opens it.
    ///
    /// All of their tabs act.
    private static let fewPeople = HarborBoard.creators + 1
    private static let somePeople = 100
    private static let manyPeople = 500
    private static let actionInterval = Duration.milliseconds(500)

    /// Lets few and then many people perform two actions a second that change the board.
    ///
    /// With few people, the processor time of an action shows the cost of the action itself.
    ///
    /// - Parameter hasAccounts: Whether each person has an account of her own. All are in one group.
    func people(for duration: Duration, hasAccounts: Bool) throws {
      guard !hasAccounts || harbor != nil else {
        throw Unexpected(answer: "accounts needs --harbor")
      }
      try withSubject(rows: Self.boardRows, hasAccounts: hasAccounts) { subject in
        let floor = try ServerProcess(Self.own, ["--serve-bare"])
        defer { floor.stop() }
        let bare = Subject(server: floor, crowd: try Crowd(port: floor.port), rows: 1, ids: [])
        for people in [Self.fewPeople, Self.somePeople, Self.manyPeople] {
          try subject.grow(to: people, perBrowser: 1)
          try subject.setNames()
          // A change of the connection's state is shown after a pause.
          usleep(600_000)
          try subject.crowd.settle()
          let served = try measure(subject, for: duration, subject.change)
          try bare.grow(to: people, perBrowser: 1)
          let sent = try measure(bare, for: .seconds(2)) { tab, round in
            ("own-\(tab)-\(round).", "own-\(tab)-\(round).")
          }
          let signUps = subject.crowd.club.map { "; a sign-up \(Self.text($0.signUps))" } ?? ""
          print(
            "\(people) people\(hasAccounts ? " with accounts" : "") × 2 actions a second, "
              + "\(subject.rows) rows: \(served); floor: \(sent)\(signUps)")
        }
      }
    }

    private func measure(
      _ subject: Subject, for duration: Duration,
      _ action: (_ tab: Int, _ round: Int) -> (text: String, marker: String)
    ) throws -> String {
      let participants = try subject.isHarbor ? subject.participants() : []
      let before = try subject.server.processorTime
      let rush = try subject.crowd.rush(every: Self.actionInterval, for: duration, action: action)
      let work = try subject.server.processorTime - before
      guard rush.refusals == 0, rush.missing == 0, !rush.times.isEmpty else {
        throw Unexpected(answer: "\(rush.refusals) refused, \(rush.missing) tabs not done")
      }
      // All people have left what they have joined.
      guard try !subject.isHarbor || subject.participants() == participants else {
        throw Unexpected(answer: "the board is not as before")
      }
      let count = Double(rush.times.count)
      return "median \(Self.text([rush.percentile(0.5)])), p99 "
        + "\(Self.text([rush.percentile(0.99)])), "
        + "\(String(format: "%.0f", count / (rush.duration / .seconds(1)))) a second, processor "
        + "\(String(format: "%.2f", work / .milliseconds(1) / count)) ms an action"
    }
  }
#endif
