#if os(Linux)
  import Foundation

  /// Pages as people open them.
  extension LoadTable {
    private static let loads = 50

    /// Loads the page again and again, as new browsers.
    func load(rows: Int) throws {
      try withSubject(rows: rows) { subject in
        let client = try Socket(port: subject.server.port)
        let request = "GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n"
        var (times, work): ([Duration], [Duration]) = ([], [])
        var bytes = 0
        for _ in 0..<Self.loads {
          let before = try subject.server.processorTime
          let start = ContinuousClock.now
          let page = try client.exchange(request)
          times.append(ContinuousClock.now - start)
          usleep(5_000)
          work.append(try subject.server.processorTime - before)
          guard page.status == 200 else { throw Unexpected(answer: page.head) }
          bytes = page.body.utf8.count
        }
        print(
          "page of \(rows) rows: \(Self.text(times)), processor \(Self.text(work)), "
            + "\(bytes / 1_000) kB")
      }
    }

    /// Measures a join beside tabs that all show the same part of the example app.
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
