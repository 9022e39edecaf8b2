import CausewayData
import CausewaySimulation
import HarborDomain
import TestSupport
import Testing

@Suite struct HarborWorldTests {
  @Test func `devices and backend agree, lose nothing and keep nothing after a sign-out`() throws {
    let summary = try HarborWorld().simulate(0..<4)
    #expect(summary.crashes > 20)
  }

  @Test func `a crash in the middle of a sign-out leaves no data without an account`() throws {
    let signedOut = Mutexed(0)
    try simulate(seeds: 0..<30, for: .seconds(60), settling: .seconds(120)) { world in
      let ledger = HarborLedger()
      let server = world.node("server") { try await HarborBackendNode($0) }
      let phone = world.node("phone") { node in
        try await HarborPhone(node, server: server.id, ledger: ledger, isStrict: true)
      }
      world.script(on: [phone], actions: 1, pause: .seconds(5) ... .seconds(5)) { root, random in
        try await root.signIn("Ada")
        try await root.create(&random)
        try await SimulationClock().sleep(for: .seconds(5))
        _ = Task { try await root.signOut() }
        try await SimulationClock().sleep(for: random.duration(in: .zero ... .milliseconds(60)))
        phone.crash()
        phone.restart()
      }
      return (server, phone)
    } check: { world, parts in
      guard let phone = parts.1.root, let accounts = parts.0.root?.accounts else {
        return world.fail("a node has not started")
      }
      // The crash may have come before the server had the request.
      guard phone.session.current == nil else { return }
      signedOut.value += 1
      if let leftover = phone.leftover(of: accounts) { world.fail(leftover) }
    }
    #expect(signedOut.value > 10)
  }

  /// Runs a check on a phone that has signed in at a server, without faults.
  private func onPhone(
    seeds: Range<UInt64>,
    check:
      @escaping @Sendable (
        World, SimulatedNode<HarborBackendNode>, HarborPhone
      ) async throws -> Void
  ) throws {
    try simulate(seeds: seeds, for: .seconds(1), settling: .seconds(1)) { world in
      let server = world.node("server") { try await HarborBackendNode($0) }
      let phone = world.node("phone") { node in
        try await HarborPhone(node, server: server.id, ledger: HarborLedger(), isStrict: true)
      }
      return (server, phone)
    } check: { world, nodes in
      guard let phone = nodes.1.root else { return world.fail("the phone has not started") }
      try await phone.signIn("Ada")
      try await SimulationClock().sleep(for: .seconds(5))
      try await check(world, nodes.0, phone)
    }
  }

  @Test func `a picture goes to the shown group while the next board is read`() throws {
    try onPhone(seeds: 0..<1) { world, server, phone in
      func requireGroup(_ name: String) async throws {
        let names = await (phone.page.groupName, phone.groupName)
        try world.require(names == (name, name), "the groups are \(names)")
      }
      try await requireGroup("Club")
      // Without the server, the first read of a board takes some time.
      server.crash()
      let founding = Task { try await phone.found("Sailors") }
      try await SimulationClock().sleep(for: .milliseconds(10))
      try await requireGroup("Club")
      server.restart()
      try await founding.value
      try await SimulationClock().sleep(for: .seconds(5))
      try await requireGroup("Sailors")
    }
  }

  @Test func `a picture is chosen without the server, shown at once and sent later`() throws {
    try onPhone(seeds: 0..<3) { world, server, phone in
      var random = SimulationRandom(seed: 1)
      try await phone.create(&random)
      try await SimulationClock().sleep(for: .seconds(5))
      server.crash()
      try await phone.setPicture(&random)
      try await SimulationClock().sleep(for: .seconds(5))
      let shown = await phone.page.pictures.count
      try world.require(shown == 1, "\(shown) pictures are shown without the server")
      try await world.require(phone.wrongPicture() == nil, "the picture has other bytes")
      server.restart()
      try await SimulationClock().sleep(for: .seconds(60))
      guard let backend = server.root else { return world.fail("the server has not started") }
      let stored = try await backend.people.compactMap(\.picture)
      try world.require(stored.count == 1, "the server has the pictures \(stored)")
      try await world.require(phone.wrongPicture() == nil, "the sent picture has other bytes")
    }
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
