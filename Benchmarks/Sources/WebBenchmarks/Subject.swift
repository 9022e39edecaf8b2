#if os(Linux)
  import Foundation

  /// A server under test with its board and its tabs.
  struct Subject {
    let server: ServerProcess
    let crowd: Crowd
    let rows: Int
    /// The ids of the example app's activities; empty for the board of this benchmark.
    let ids: [String]

    var isHarbor: Bool { !ids.isEmpty }

    /// Opens tabs, and returns the memory of each in kilobytes.
    ///
    /// The first sessions also allocate the memory that all sessions share, so they do not count.
    @discardableResult
    func grow(to tabs: Int, perBrowser: Int = 40) throws -> Double {
      try crowd.grow(to: 20, perBrowser: perBrowser)
      try crowd.settle()
      let before = try server.memory
      try crowd.grow(to: tabs, perBrowser: perBrowser)
      try crowd.settle()
      return Double(try server.memory - before) / Double(max(1, tabs - 20))
    }

    /// Gives each tab a name of its own, for a crowd with one tab in each browser.
    func setNames() throws {
      guard isHarbor, crowd.club == nil else { return }
      for tab in crowd.tabs.indices {
        try crowd.act(#"{"setName":{"name":"\#(Crowd.name(tab))"}}"#, in: tab)
      }
      try crowd.settle()
    }

    /// The people who join each shown activity of the example app, as a newly loaded page shows
    /// them.
    func participants() throws -> [String] {
      try crowd.settle()
      return try crowd.reload().matches(of: /"names":"([^"]*)"/).map { String($0.1) }
    }

    func join(row: Int, name: String) -> String {
      isHarbor
        ? #"{"join":{"id":"\#(ids[row % ids.count])"}}"#
        : #"{"join":{"row":\#(row % rows),"name":"\#(name)"}}"#
    }

    /// An action that changes the board: a person joins an activity or leaves it.
    func change(_ tab: Int, _ round: Int) -> (text: String, marker: String) {
      guard isHarbor else {
        let name = "mark-\(tab)-\(round)."
        return (join(row: tab, name: name), name)
      }
      // The first people host activities, and nobody leaves an activity of her own.
      let id = ids[(tab + 1) % ids.count]
      // Both texts are in the personal part of the page, whose patches follow each other. If an action
      // waited for the shared board, the next one could be in the same patch of the personal part,
      // which then would not change.
      return round.isMultiple(of: 2)
        ? (#"{"join":{"id":"\#(id)"}}"#, #""isJoined":true"#)
        : (#"{"leave":{"id":"\#(id)"}}"#, #""\#(id)":null"#)
    }

    /// An action that changes the view of one tab only.
    func look(_ tab: Int, _ round: Int) -> (text: String, marker: String) {
      guard isHarbor else { return (#"{"look":{"_0":"mark-\#(round)."}}"#, "mark-\(round).") }
      return round.isMultiple(of: 2)
        ? (#"{"openComposer":{}}"#, #""isComposing":true"#)
        : (#"{"closeComposer":{}}"#, #""isComposing":false"#)
    }
  }

  /// The board of the example app.
  enum HarborBoard {
    /// Creates activities, and returns the ids of those that a page shows, earliest first.
    ///
    /// Several people create them together, because each tab may send only some actions a second.
    ///
    /// - Parameter isImported: Whether the board has its activities already.
    static func fill(_ crowd: Crowd, rows: Int, isImported: Bool) throws -> [String] {
      try crowd.grow(to: creators, perBrowser: 1)
      for tab in 0..<creators where crowd.club == nil {
        try crowd.act(#"{"setName":{"name":"Host \#(tab)"}}"#, in: tab)
      }
      let sockets = try (0..<creators).map { _ in try Socket(port: crowd.tabs[0].stream.port) }
      for round in 0..<(isImported ? 0 : (rows + creators - 1) / creators) {
        let indices = round * creators..<min(rows, (round + 1) * creators)
        for (tab, index) in indices.enumerated() {
          try sockets[tab].send(crowd.tabs[tab].request(creation(of: index, attempt: round)))
        }
        for (tab, _) in indices.enumerated() {
          let answer = try sockets[tab].exchange("")
          guard answer.status == 200 else { throw Unexpected(answer: answer.head + answer.body) }
        }
      }
      try crowd.settle()
      try crowd.grow(to: creators + 1)
      let titles = crowd.tabs[creators].state.matches(of: /title-([0-9a-f-]{36})/)
      var known: Set<Substring> = []
      let ids = titles.map(\.1).filter { known.insert($0).inserted }.map(String.init)
      guard ids.count >= min(rows, shownRows) else {
        throw Unexpected(answer: "\(ids.count) activities")
      }
      return ids
    }

    /// Imports activities like those that the other function creates, before the server starts.
    ///
    /// The limits of the app do not let people create so many activities, and that would take long.
    static func load(rows: Int, by program: URL, into data: URL) throws {
      let activities = (0..<rows).map { index in
        let (month, day) = (index / 28 % 12, index % 28)
        // 2027-01-01T18:30, and months of 30 days.
        let start = 1_798_828_200 + 86_400 * (30 * month + day)
        let host = "Host \(index % creators)"
        return #"{"id":"\#(UUID().uuidString.lowercased())","title":"Activity \#(index)","#
          + #""place":"At the pier","notes":"Bring gloves.","start":\#(start),"host":"\#(host)","#
          + #""participants":["\#(host)"],"created":1795000000,"updated":1795000000,"revision":1}"#
      }
      let archive =
        #"{"groups":[{"group":{"id":"\#(UUID())","name":"Club"},"activities":["#
        + activities.joined(separator: ",") + "]}],\"links\":[]}"
      try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
      let file = data.appending(path: "board.json")
      try Data(archive.utf8).write(to: file)
      let process = Process()
      process.executableURL = program
      process.arguments = ["import", file.path, "--data", data.path]
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw Unexpected(answer: "the import failed") }
    }

    /// The largest number of activities that people create one by one.
    static let createdRows = 2_000
    /// The people who create a board; one more looks at it.
    static let creators = 20
    /// The rows of a large board that a page shows at first.
    private static let shownRows = 25

    private static func creation(of index: Int, attempt: Int) -> String {
      let (month, day) = (index / 28 % 12 + 1, index % 28 + 1)
      let date = "2027-\(String(format: "%02d", month))-\(String(format: "%02d", day))"
      return
        #"{"create":{"attempt":\#(attempt),"form":{"title":"Activity \#(index)","#
        + #""place":"At the pier","notes":"Bring gloves.","start":"\#(date)T18:30"}}}"#
    }
  }
#endif
