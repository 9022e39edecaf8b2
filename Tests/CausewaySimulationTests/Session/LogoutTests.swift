import CausewayData
import CausewaySimulation
import Synchronization
import Testing

/// A client whose user signs in, works and logs out, with crashes and power failures in the middle.
struct LogoutWorld: Sendable {
  var bug: Vault.Bug?
  var disk: DiskFault?

  @discardableResult
  func simulate(
    _ seeds: Range<UInt64>, shrinks: Int = 150, replaying replay: String? = nil
  ) throws -> SimulationSummary {
    try simulateWorld(
      seeds, replay, for: .seconds(120), settling: .seconds(60), shrinks: shrinks
    ) { world in
      let server = world.node("server") { node in
        node.serve { request in
          let account = AccountID(request.headers["account"] ?? "")
          return NetworkResponse(status: 200, body: Array(Vault.secret(of: account).utf8))
        }
      }
      let client = world.node("client") { node in
        (vault: try await Vault(node, server: server.id, bug: bug), node: node)
      }
      world.faults = [
        .latency(.milliseconds(1) ... .seconds(2)), .loss(0.05),
        .crashes(of: [client.id], every: .seconds(30), down: .zero ... .seconds(2)),
        .powerLoss(of: [client.id], every: .seconds(30), down: .zero ... .seconds(2)),
      ]
      if let disk {
        world.faults.append(
          .disk(disk, of: [client.id], every: .seconds(20), lasting: .zero ... .seconds(10)))
      }
      world.script(
        on: [client, client], actions: 12, pause: .zero ... .seconds(6), expectsErrors: true
      ) { root, random in
        let log = root.node.stored("logout log") { LogoutLog() }
        let number = Int.random(in: 0..<6, using: &random)
        if number == 0 {
          let isSignedIn = root.vault.session.current != nil
          let count = log.count
          root.node.log(isSignedIn ? "logs out" : "logs out without a session")
          try await root.vault.logOut()
          root.node.log("has logged out")
          if isSignedIn { log.loggedOut(ifStill: count) }
          // By then, the answers to all earlier requests have arrived.
          try await SimulationClock().sleep(for: .seconds(5))
          // This client removes the token first. If a crash interrupts its logout, the data stays
          // until the next sign-in, and another logout has no session to end.
          guard log.isClean, root.vault.session.current == nil else { return }
          if let leftover = root.node.leftover { world.fail("after the logout, \(leftover)") }
        } else {
          log.worked()
          switch number {
          case 1: try await root.vault.signIn("ada")
          case 2: try await root.vault.signIn("bob")
          default: try await root.vault.work()
          }
        }
      }
      return client
    } check: { world, client in
      guard let root = client.root else { return world.fail("the client is down") }
      // A user signs in after the last crash.
      try await root.vault.signIn("carol")
      if let leftover = root.node.leftover { world.fail(leftover) }
    }
  }
}

/// Whether a logout has returned since the last sign-in or work began, across all runs of the node.
private final class LogoutLog: Sendable {
  private let state = Mutex((count: 0, isClean: false))

  /// The number of sign-ins and work so far.
  var count: Int { state.withLock(\.count) }
  var isClean: Bool { state.withLock(\.isClean) }

  func worked() { state.withLock { $0 = ($0.count + 1, false) } }
  func loggedOut(ifStill count: Int) {
    state.withLock { if $0.count == count { $0.isClean = true } }
  }
}

extension NodeContext {
  /// The first file with a secret of an account; `nil` if there is none.
  fileprivate var leftover: String? {
    for (name, bytes) in diskContents.sorted(by: { $0.key < $1.key }) {
      let text = String(decoding: bytes, as: UTF8.self)
      for account: AccountID in ["ada", "bob"] where text.contains(Vault.secret(of: account)) {
        return "\(name) contains the secret of \(account.rawValue)"
      }
    }
    return nil
  }
}

@Suite struct LogoutTests {
  @Test(arguments: [nil, DiskFault.full, .failing])
  func `no file keeps data of another account after a crash at any place of a logout`(
    disk: DiskFault?
  ) throws {
    let summary = try LogoutWorld(disk: disk).simulate(0..<15)
    #expect(summary.crashes > 40)
  }
}
