import CausewayData
import CausewayExploration
import CausewayHTTP
import CausewaySimulation
import Foundation
import HarborDomain
import Synchronization
import Testing

/// A link that several devices of an account change and read while the server crashes.
@Suite struct LinkHistoryTests {
  /// A model of a link that devices use one after the other.
  private static let link = SequentialModel<String?, LinkStep, LinkOutcome>(nil) { target, step in
    switch step {
    case .read: return .target(target)
    case .remove: target = nil
    case .add(let new):
      // A name is taken until its link is removed.
      guard target == nil else { return .refused }
      target = new
    }
    return .target(target)
  }

  @Test func `each device sees the last change of a link that the server has accepted`() throws {
    let summary = try simulate(seeds: 0..<12, for: .seconds(60), settling: .seconds(30)) { world in
      let history = OperationHistory<LinkStep, LinkOutcome>()
      let server = world.node("server") { try await HarborBackendNode($0) }
      let devices = (1...3).map { number in
        world.node("device \(number)") { LinkDevice($0, server: server.id) }
      }
      world.faults = [
        .latency(.milliseconds(1) ... .milliseconds(500)), .loss(0.1),
        .partitions(every: .seconds(20), lasting: .seconds(1) ... .seconds(5)),
        .crashes(of: [server.id], every: .seconds(10), down: .zero ... .seconds(2)),
        .powerLoss(of: [server.id], every: .seconds(10), down: .zero ... .seconds(2)),
      ]
      world.script(
        on: devices, actions: 12, pause: .zero ... .seconds(3), expectsErrors: true
      ) { device, random in
        let links = try await device.links()
        let step: LinkStep =
          switch Int.random(in: 0..<4, using: &random) {
          case 0: .add("https://example.org/\(Int.random(in: 0..<1_000, using: &random))")
          case 1: .remove
          default: .read
          }
        _ = try await history.record(step) { try await links.perform(step) }
      }
      return history
    } check: { world, history in
      try world.require(history.isLinearizable(Self.link), "no order explains\n\(history)")
    }
    #expect(summary.crashes > 20)
  }
}

private enum LinkStep: Sendable {
  case read
  case add(String)
  case remove
}

private enum LinkOutcome: Sendable, Equatable {
  /// The target after the step; `nil` if there is no link.
  case target(String?)
  case refused
}

/// A device that keeps nothing: each step is a request to the server.
private final class LinkDevice: Sendable {
  private let node: NodeContext
  private let server: NodeID
  private let signedIn = Mutex<Links?>(nil)

  init(_ node: NodeContext, server: NodeID) { (self.node, self.server) = (node, server) }

  /// Signs in at the first call that the server answers.
  func links() async throws -> Links {
    if let known = signedIn.withLock(\.self) { return known }
    struct Answer: Decodable, Sendable {
      var account: String
      var tokens: AuthToken
    }
    let answer: Answer = try await node.httpNetwork(to: server).value(
      for: Endpoint(.post, "/tokens", body: HarborBackendNode.credentials("Ada")))
    var configuration = HTTPNetworkService.Configuration(address: URL(filePath: "/"))
    configuration.headers["Authorization"] = "Bearer \(answer.tokens.access)"
    let links = Links(
      source: CollectionSource("links", on: node.httpNetwork(to: server, configuration)),
      account: answer.account, node: node)
    signedIn.withLock { $0 = links }
    return links
  }

  struct Links: Sendable {
    let source: CollectionSource<LinkMutation>
    let account: String
    let node: NodeContext
    private static let name = "harbor"

    /// - Throws: The failure of a step that the server may or may not have done.
    func perform(_ step: LinkStep) async throws -> LinkOutcome {
      let scope = Place.account(account).scope
      switch step {
      case .read:
        let all = try await source.snapshot(SyncRequest(account: AccountID(account), scope: scope))
        return .target(all.records.first { $0.id == Self.name }?.target)
      case .add(let target):
        let created = node.date.timeIntervalSince1970
        let link = LinkRecord(id: Self.name, target: target, created: created)
        return try await send(.add(link), to: scope) ? .target(target) : .refused
      case .remove:
        return try await send(.remove(id: Self.name), to: scope) ? .target(nil) : .refused
      }
    }

    /// Returns whether the server has accepted a change.
    private func send(_ change: LinkMutation, to scope: SyncScope) async throws -> Bool {
      let request = MutationRequest(
        account: AccountID(account), scope: scope,
        key: IdempotencyKey(rawValue: node.uuid().uuidString), attempts: 0)
      do { _ = try await source.apply(change, request) } catch let failure as RemoteFailure {
        guard failure.kind == .rejected else { throw failure }
        return false
      }
      return true
    }
  }
}
