#if os(Linux)
  import Foundation

  /// Pages as people open them.
  extension LoadTable {
    private static let loads = 20

    /// Loads the page again and again, and lets a person of the example app join and leave.
    ///
    /// The first time is the time of the first page after a new start of the server.
    func load(rows: Int) throws {
      try withSubject(rows: rows) { subject in
        let server = try subject.server.restarted()
        defer { server.stop() }
        let client = try Socket(port: server.port)
        let request = "GET / HTTP/1.1\r\n\(subject.crowd.tabs[0].fields)Accept: text/html\r\n\r\n"
        var (times, work): ([Duration], [Duration]) = ([], [])
        var html = ""
        for _ in 0...Self.loads {
          let before = try server.processorTime
          let start = ContinuousClock.now
          let page = try client.exchange(request)
          times.append(ContinuousClock.now - start)
          usleep(5_000)
          work.append(try server.processorTime - before)
          guard page.status == 200 else { throw Unexpected(answer: page.head) }
          html = page.body
        }
        print(
          "page of \(rows) rows: first \(Self.text([times[0]])), processor "
            + "\(Self.text([work[0]])); later \(Self.text(Array(times.dropFirst()))), processor "
            + "\(Self.text(Array(work.dropFirst()))); \(html.utf8.count / 1_000) kB, "
            + "\(html.matches(of: /<[a-z]/).count) elements" + (try joins(subject, on: server)))
      }
    }

    /// The time from a join or a leave until the page of the person shows it.
    private func joins(_ subject: Subject, on server: ServerProcess) throws -> String {
      guard subject.isHarbor else { return "" }
      let person = try Crowd(port: server.port)
      try person.grow(to: 1)
      try person.act(#"{"setName":{"name":"\#(Crowd.name(999))"}}"#)
      try person.settle()
      let before = try server.processorTime
      let times = try (0..<2 * Self.joins).map { round in
        let (action, marker) = subject.change(round / 2, round)
        defer { usleep(20_000) }
        return try person.spread(action, marker: marker)[0]
      }
      let work = try server.processorTime - before
      return "; a join seen after \(Self.text(times)), processor "
        + Self.text([work / times.count]) + "; \(try server.memory / 1_000) MB"
    }

    /// Loads the last page of the board that has an address, and the list of people.
    ///
    /// With each, it measures a join.
    ///
    /// The first time of each kind is the time of its first page after a start of the server.
    func lists(rows: Int) throws {
      try withSubject(rows: rows) { subject in
        guard subject.isHarbor else { throw Unexpected(answer: "lists needs --harbor") }
        let server = try subject.server.restarted()
        defer { server.stop() }
        let client = try Socket(port: server.port)
        func loads(_ path: String) throws -> [Duration] {
          let fields = subject.crowd.tabs[0].fields
          return try (0...Self.loads).map { _ in
            let start = ContinuousClock.now
            let page = try client.exchange(
              "GET \(path) HTTP/1.1\r\n\(fields)Accept: text/html\r\n\r\n")
            guard page.status == 200 else { throw Unexpected(answer: page.head) }
            defer { usleep(5_000) }
            return ContinuousClock.now - start
          }
        }
        func text(_ times: [Duration]) -> String {
          "first \(Self.text([times[0]])), later \(Self.text(Array(times.dropFirst())))"
        }
        let near = try loads("/")
        let nearJoins = try joins(subject, on: server)
        let number = min(400, rows / 25)
        let far = try loads("/?page=\(number)")
        let farJoins = try joins(subject, on: server)
        let person = try Crowd(port: server.port)
        try person.grow(to: 1)
        try person.settle()
        let visit = #"{"visit":{"address":"/people"}}"#
        let people = try person.spread(visit, marker: #""id":"host 19""#)
        let peopleJoins = try joins(subject, on: server)
        print(
          """
          page 1 of \(rows) rows: \(text(near))\(nearJoins)
          page \(number) of \(rows) rows: \(text(far))\(farJoins)
          people of \(rows) rows: first \(Self.text(people))\(peopleJoins)
          """)
        withExtendedLifetime(person) {}
      }
    }

    /// Measures a join while other tabs all show the same part of the example app.
    func focus(tabs: Int) throws {
      let parts: [(name: String, actions: [String])] = [
        ("board", []),
        ("people", [#"{"visit":{"address":"/people"}}"#]),
        (
          "search",
          [#"{"visit":{"address":"/search"}}"#, #"{"search":{"text":"activity"}}"#]
        ),
        ("name of the person who joins", [#"{"setName":{"name":"Host 0"}}"#]),
      ]
      for part in parts {
        try withSubject(rows: Self.focusRows) { subject in
          guard subject.isHarbor else { throw Unexpected(answer: "focus needs --harbor") }
          let crowd = subject.crowd
          // The tabs that act belong to a browser of their own.
          let own = crowd.tabs.count
          try subject.grow(to: own + tabs, perBrowser: 1)
          for tab in own..<crowd.tabs.count {
            for action in part.actions { try crowd.act(action, in: tab) }
          }
          try crowd.settle()
          usleep(700_000)
          try crowd.settle()
          var work: [Duration] = []
          for round in 0...Self.joins {
            let action = round.isMultiple(of: 2) ? "leave" : "join"
            let before = try subject.server.processorTime
            try crowd.act(#"{"\#(action)":{"id":"\#(subject.ids[round / 2])"}}"#)
            try crowd.settle()
            if round > 0 { work.append(try subject.server.processorTime - before) }
          }
          print(
            "\(tabs) tabs on \(part.name), \(Self.focusRows) rows: processor of a join "
              + Self.text(work))
        }
      }
    }

    private static let focusRows = 300
    private static let joins = 8
  }
#endif
