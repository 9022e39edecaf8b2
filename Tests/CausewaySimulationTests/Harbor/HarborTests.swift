import CausewayData
import CausewaySimulation
import HarborDomain
import Testing

@testable import HarborApp

/// Harbor whole: a backend and three devices, each with a database on the disk of its node.
struct HarborWorld: Sendable {
  var actions = 12
  var bug: HarborPhone.Bug?

  @discardableResult
  func simulate(_ seeds: Range<UInt64>, shrinks: Int = 150) throws -> SimulationSummary {
    try CausewaySimulation.simulate(
      seeds: seeds, for: .seconds(200), settling: .seconds(300), shrinks: shrinks
    ) { world in
      let ledger = HarborLedger()
      let server = world.node("server") { try await HarborBackendNode($0) }
      let phones = (1...3).map { number in
        world.node("phone \(number)") { node in
          try await HarborPhone(node, server: server.id, ledger: ledger, bug: bug)
        }
      }
      let all = [server.id] + phones.map(\.id)
      world.faults = [
        .latency(.milliseconds(1) ... .milliseconds(100)), .loss(0.05), .duplicates(0.03),
        .slowBytes(0.1, pieces: 2...5, pause: .milliseconds(1) ... .seconds(5)),
        .partitions(every: .seconds(60), lasting: .seconds(5) ... .seconds(40)),
        .crashes(of: all, every: .seconds(40), down: .zero ... .seconds(10)),
        .powerLoss(of: all, every: .seconds(40), down: .zero ... .seconds(10)),
        .disk(
          .slow(.milliseconds(1) ... .milliseconds(300)), of: all, every: .seconds(30),
          lasting: .zero ... .seconds(20)),
        .clockSkew(.seconds(30)),
      ]
      world.script(on: phones, actions: actions, pause: .zero ... .seconds(20)) { phone, random in
        guard await phone.board != nil else {
          return try await phone.signIn(HarborBackendNode.names.randomElement(using: &random) ?? "")
        }
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
          try await phone.signOut()
          try check(phone, world, server.root)
        case 1:
          try await phone.signIn(HarborBackendNode.names.randomElement(using: &random) ?? "")
        case 2...5: try await phone.create(&random)
        case 6...9: try await phone.edit(&random)
        default: try await phone.join(&random)
        }
      }
      return (server, phones, ledger)
    } check: { world, parts in
      let (server, phones, ledger) = parts
      guard let backend = server.root else { return world.fail("the server is down") }
      for phone in phones {
        guard let phone = phone.root else { return world.fail("\(phone.name) has not started") }
        if phone.session.current == nil { try await phone.signIn("Ada") }
      }
      try await SimulationClock().sleep(for: .seconds(120))
      let stored = try await backend.activities
      try check(stored, ledger, world)
      for phone in phones.compactMap(\.root) {
        let letters = try await phone.outbox.deadLetters()
        try world.require(letters.isEmpty, "the server refused \(letters)")
        let shown = try await phone.board?.current.sorted { $0.id < $1.id }
        try world.require(
          shown == stored.map { $0.activity() },
          "\(phone.node.name) shows \(shown ?? []), the server has \(stored)")
        try await phone.signOut()
        try check(phone, world, backend)
      }
    }
  }

  /// Checks that no file of a device has data of an account, unless a sign-in has begun.
  private func check(_ phone: HarborPhone, _ world: World, _ backend: HarborBackendNode?) throws {
    guard let backend, phone.session.current == nil,
      !phone.ledger.isClosing(phone.node.name)
    else { return }
    if let leftover = phone.leftover(of: backend.accounts) {
      world.fail("after the sign-out of \(phone.node.name), \(leftover)")
    }
  }

  /// Checks that the server has each certain change once, and no change that no user has made.
  private func check(
    _ stored: [ActivityRecord], _ ledger: HarborLedger, _ world: World
  ) throws {
    let changes = ledger.changes
    for (text, change) in changes.sorted(by: { $0.key < $1.key }) where change.kind == .create {
      let count = stored.count { $0.title == text }
      try world.require(count <= 1, "\"\(text)\" is on the board \(count) times")
      try world.require(count == 1 || !change.isCertain, "\"\(text)\" is lost")
    }
    for record in stored {
      let edits = changes.values.filter { $0.kind == .edit(record.id) }
      let certain = edits.count(where: \.isCertain)
      try world.require(
        (certain...edits.count).contains(record.revision - 1),
        "\"\(record.title)\" has \(record.revision - 1) of \(certain) to \(edits.count) edits")
      try world.require(changes[record.title] != nil, "\"\(record.title)\" is unknown")
    }
  }
}

@Suite struct HarborTests {
  @Test func `devices and backend agree, lose nothing and keep nothing after a sign-out`() throws {
    let summary = try HarborWorld().simulate(0..<4)
    #expect(summary.crashes > 20)
  }

  @Test(arguments: HarborPhone.Bug.allCases)
  func `the world finds a planted bug of a device`(bug: HarborPhone.Bug) {
    let failure = #expect(throws: SimulationFailure.self) {
      try HarborWorld(bug: bug).simulate(0..<30, shrinks: 0)
    }
    #expect(failure?.isDeterministic == true)
    print("\(bug): seed \(failure?.seed ?? 0): \(failure?.reason ?? "")")
  }
}
