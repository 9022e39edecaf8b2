import CausewayData
import CausewayHTTP
import Foundation
import TestSupport
import Testing

/// Two processes of `harbor` on one database, behind HAProxy.
@Suite(TestStore.isAvailable, HAProxy.isAvailable, .timeLimit(.minutes(10)))
struct `Several hosts behind a proxy` {
  /// The parts of a test.
  private struct Club: Sendable {
    let store: String
    let hosts: [BackendProcess]
    let proxy: HAProxy
    /// The code of an invitation to the group of all people.
    let invitation: String

    /// A new person, who uses the page.
    func member(_ name: String) async throws -> Visitor {
      let visitor = Visitor(proxy.server)
      try await visitor.enter(name, invitation: invitation)
      return visitor
    }

    /// A page of each of two people, on different hosts.
    func pair() async throws -> (ana: Visitor, ben: Visitor) {
      let (ana, ben) = (try await member("Ana"), try await member("Ben"))
      // The proxy sends new browsers to the hosts in turn.
      #expect(Set([ana.host, ben.host]) == ["host1", "host2"])
      return (ana, ben)
    }
  }

  private struct Person: Sendable {
    let name: String
    let visitor: Visitor
    /// The titles of the activities that were acknowledged.
    let acknowledged = Log<String>()
  }

  /// Waits until each person has got so many more acknowledgements.
  private func wait(for count: Int, of people: [Person]) async {
    for (person, now) in people.map({ ($0, $0.acknowledged.all.count) }) {
      await person.acknowledged.wait(for: now + count)
    }
  }

  private func withClub(_ body: (Club) async throws -> Void) async throws {
    let store = try await TestServer.shared.value.makeSchema()
    let hosts = try (1...2).map { _ in
      try BackendProcess(store: store, ["--public", "board.example", "--log", "error"])
    }
    // The schema and the key of the cookies are made by two processes at the same time.
    async let first: Void = hosts[0].start()
    try await hosts[1].start()
    try await first
    let proxy = try await HAProxy(hosts.map(\.port.number))
    let link = try await BackendProcess.output(
      of: ["invite", "Club", "--store", store, "--public", "board.example"])
    let code = link.split(separator: "/").last.map(String.init) ?? ""
    try await body(Club(store: store, hosts: hosts, proxy: proxy, invitation: code))
    await proxy.stop()
    for host in hosts { await host.kill() }
  }

  @Test func `lose nothing that was acknowledged when one is killed, and nobody signs in again`()
    async throws
  {
    try await withClub { club in
      var people: [Person] = []
      for number in 1...6 {
        let name = "Person \(number)"
        people.append(Person(name: name, visitor: try await club.member(name)))
      }
      let isOver = Mutexed(false)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for person in people { group.addTask { try await act(person, until: isOver) } }
        for _ in 1...2 {
          await wait(for: 10, of: people)
          // The proxy may treat a slow host as lost at any time, and move its people.
          let hosts = people.compactMap(\.visitor.host)
          let used = hosts.filter { $0 == "host1" }.count * 2 > hosts.count ? 1 : 2
          await club.hosts[used - 1].kill()
          // The first answer to a person may still come from the killed host.
          await wait(for: 2, of: people)
          #expect(people.allSatisfy { $0.visitor.host == "host\(3 - used)" })
          try await club.hosts[used - 1].start()
          try await club.proxy.waitForHost(used)
        }
        isOver.value = true
        try await group.waitForAll()
      }
      let store = try await TestStore.open(club.store)
      let titles = try await store.read { transaction in
        try transaction.rows(
          "SELECT body::json ->> 'title' FROM record WHERE collection = 'activities'",
          as: String.self)
      }
      try await store.close()
      let acknowledged = Set(people.flatMap(\.acknowledged.all))
      #expect(acknowledged.subtracting(titles) == [], "what was acknowledged")
      #expect(Set(titles).count == titles.count, "each activity once")
    }
  }

  /// Adds activities, one after another, on a page that opens again after each failure.
  private func act(_ person: Person, until isOver: Mutexed<Bool>) async throws {
    let (name, visitor) = (person.name, person.visitor)
    var number = 0
    while !isOver.value {
      try Task.checkCancellation()
      number += 1
      if (try? await visitor.create("\(number) of \(name)")) == true {
        person.acknowledged.append("\(number) of \(name)")
        continue
      }
      var content = try? await visitor.open()
      while content == nil {
        try Task.checkCancellation()
        content = try? await visitor.open()
      }
      #expect(content?.isSignedIn == true && content?.account.name == name)
    }
  }

  @Test func `show a change that was made on the other one`() async throws {
    try await withClub { club in
      let (ana, ben) = try await club.pair()
      var events = ben.events.makeAsyncIterator()
      _ = try await events.next()
      let clock = ContinuousClock()
      var (answered, seen): ([Duration], [Duration]) = ([], [])
      for number in 1...50 {
        // The newest activity is the first one of the board.
        let (title, start) = ("Change \(number).", clock.now)
        let answer = Task {
          let isAcknowledged = try await ana.create(title, day: 100 - number)
          #expect(isAcknowledged)
          return clock.now - start
        }
        while let event = try await events.next(), !event.data.contains(title) {}
        seen.append(clock.now - start)
        answered.append(try await answer.value)
      }
      print(
        "A change of a page is acknowledged after \(Self.text(answered)), and seen on the page of "
          + "another host after \(Self.text(seen)).")
    }
  }

  @Test func `show a new name that was chosen on the other one`() async throws {
    try await withClub { club in
      let phone = try await club.member("Ana")
      let desk = Visitor(club.proxy.server)
      try await desk.enter("Ana")
      #expect(Set([phone.host, desk.host]) == ["host1", "host2"])
      #expect(try await desk.send(#"{"setName":{"name":"Anna-Maria"}}"#))
      try await phone.waitForEnd()
      #expect(try await phone.open().feed.you.name == "Anna-Maria")
      // The page that has changed the name did not begin again.
      #expect(try await desk.create("With Anna-Maria"))
    }
  }

  /// What a person does in one of two browsers.
  enum End: CaseIterable {
    case endsTheOther, changesPassphrase, deletesAccount
  }

  @Test(arguments: End.allCases)
  func `end the session of a browser whose page is on the other one`(end: End) async throws {
    try await withClub { club in
      let phone = try await club.member("Ana")
      let store = try await TestStore.open(club.store)
      let browser = try await store.read { transaction in
        try transaction.row("SELECT browser FROM browser_account", as: String.self) ?? ""
      }
      try await store.close()
      let desk = Visitor(club.proxy.server)
      try await desk.enter("Ana")
      #expect(Set([phone.host, desk.host]) == ["host1", "host2"])
      let action =
        switch end {
        case .endsTheOther: #"{"endBrowser":{"id":"\#(browser)"}}"#
        case .changesPassphrase:
          #"{"changePassphrase":{"old":"\#(Visitor.passphrase)","new":"another horse battery"}}"#
        case .deletesAccount: #"{"deleteAccount":{"passphrase":"\#(Visitor.passphrase)"}}"#
        }
      try await desk.send(action)
      try await phone.waitForEnd()
      #expect(try await phone.open().isSignedIn == false)
      if end == .deletesAccount { try await desk.waitForEnd() }
      #expect(try await desk.open().isSignedIn == (end != .deletesAccount))
    }
  }

  /// The median and the largest of some times.
  private static func text(_ times: [Duration]) -> String {
    let sorted = times.sorted()
    let format = Duration.UnitsFormatStyle.units(
      allowed: [.milliseconds], fractionalPart: .show(length: 1))
    return
      "\(sorted[sorted.count / 2].formatted(format)) (at most \(sorted[sorted.count - 1].formatted(format)))"
  }
}
