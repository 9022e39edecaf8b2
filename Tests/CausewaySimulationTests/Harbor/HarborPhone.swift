import CausewayData
import CausewayHTTP
import CausewaySQLite
import CausewaySignals
import CausewaySimulation
import Foundation
import HarborDomain

@testable import HarborApp

/// Harbor's device on a node: the app's own composition root, with the parts of the node.
struct HarborPhone: Sendable {
  enum Bug: CaseIterable, Sendable {
    /// A sign-out leaves the token on the disk.
    case keepsToken
    /// Each attempt to send a change has a key of its own.
    case forgetsKey
  }

  private let device: Device
  let session: SessionService
  let outbox: Outbox
  let node: NodeContext
  let ledger: HarborLedger
  /// The text of all activities, which no file may contain after a sign-out.
  static let secret = "Regatta"

  init(
    _ node: NodeContext, server: NodeID, ledger: HarborLedger, bug: Bug? = nil
  ) async throws {
    self.node = node
    self.ledger = ledger
    ledger.restarted(node.name)
    let storage = DeviceStorage(
      tokens: bug == .keepsToken
        ? KeptToken(store: node.tokenStore("token")) : node.tokenStore("token"),
      pictures: node.diskStore("pictures", bytes: 1 << 20),
      preferences: node.fileBacking("preferences"), choices: node.fileBacking("choices"),
      openDatabase: { migrations in
        let store = try await node.database("device.sqlite", migrations: migrations)
        try await store.checkIntegrity()
        return store
      })
    let environment = Device.Environment(
      storage: storage, server: URL(filePath: "/"),
      network: { session in
        let network = node.httpNetwork(to: server, session: session)
        return bug == .forgetsKey ? ForgetfulNetwork(base: network, node: node) : network
      }, localTokens: nil,
      report: { error in node.log("reports \(error)") }, clock: node.clock,
      sync: node.syncEnvironment, now: { node.date },
      makeID: { node.uuid().uuidString.lowercased() })
    device = try await Device.open(environment, ShutdownSequence())
    (session, outbox) = await (device.session, device.outbox)
  }

  // MARK: - The user

  /// Signs in, also while another account is signed in.
  func signIn(_ name: String) async throws {
    let before = session.current
    try await ledger.closing(node.name, texts: { try await pendingTexts }) {
      do {
        try await device.signIn(HarborBackendNode.credentials(name))
        await device.show(group: HarborBackendNode.group)
        return true
      } catch {
        // Without an answer of the server, the session continues.
        if let before, before.isCurrent { return true }
        throw error
      }
    }
  }

  func signOut() async throws {
    try await ledger.closing(node.name, texts: { try await pendingTexts }) {
      try await device.signOut()
      return false
    }
  }

  /// Puts an activity on the board.
  func create(_ random: inout SimulationRandom) async throws {
    guard let board = await board else { return }
    let title = ledger.newText("\(Self.secret) of \(node.name)")
    let start = node.date.addingTimeInterval(3_600)
    try await ledger.perform(.create, title, on: node.name) {
      _ = try await board.create(
        ActivityDetails(title: title, place: nil, notes: nil, start: start),
        host: PersonName(stored: "Skipper"))
    }
  }

  /// Changes the notes of an activity.
  func edit(_ random: inout SimulationRandom) async throws {
    guard let board = await board,
      let activity = try await board.current.randomElement(using: &random)
    else { return }
    let notes = ledger.newText("Notes of \(node.name)")
    let details = ActivityDetails(
      title: activity.details.title, place: nil, notes: notes, start: activity.details.start)
    try await ledger.perform(.edit(activity.id), notes, on: node.name) {
      _ = try await board.update(activity.id, to: details, basedOn: activity.revision)
    }
  }

  /// Joins an activity, or leaves it.
  func join(_ random: inout SimulationRandom) async throws {
    guard let board = await board,
      let activity = try await board.current.randomElement(using: &random)
    else { return }
    let person = PersonName(stored: "Guest \(Int.random(in: 1...3, using: &random))")
    if activity.includes(person) {
      try await board.leave(activity.id, as: person)
    } else {
      try await board.join(activity.id, as: person)
    }
  }

  // MARK: - The state

  /// The shown board; `nil` without an account.
  var board: ActivityRepository? {
    get async {
      await MainActor.run {
        device.group.flatMap { device.account?.board(of: $0.id).activities }
      }
    }
  }

  /// The texts of the changes that the server does not have for certain.
  private var pendingTexts: [String] {
    get async throws {
      try await outbox.entries().map { String(decoding: $0.payload, as: UTF8.self) }
    }
  }

  /// The first file with data of the group or of an account; `nil` if there is none.
  func leftover(of accounts: [String: String]) -> String? {
    let secrets =
      [Self.secret, "Skipper", HarborBackendNode.group] + accounts.values + accounts.keys
    for (name, bytes) in node.diskContents.sorted(by: { $0.key < $1.key }) {
      let text = String(decoding: bytes, as: UTF8.self)
      if let found = secrets.sorted().first(where: { text.contains($0) }) {
        return "\(name) contains \"\(found)\""
      }
    }
    return nil
  }
}

/// A token that is never removed.
private struct KeptToken: TokenStore {
  let store: FileTokenStore

  func load() throws(TokenStoreError) -> AuthToken? { try store.load() }
  func save(_ token: AuthToken) throws(TokenStoreError) { try store.save(token) }
  func remove() throws(TokenStoreError) {}
}

/// A network that gives each sent change a new key.
private struct ForgetfulNetwork: NetworkService {
  let base: HTTPNetworkService
  let node: NodeContext

  var coding: JSONCoding { base.coding }

  func response(
    for request: NetworkRequest, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse {
    var request = request
    if case .bytes(let bytes, let type) = request.body,
      var changes = try? JSONDecoder().decode(
        [SentChange<ActivityMutation>].self, from: Data(bytes))
    {
      for index in changes.indices { changes[index].key = .init(rawValue: "\(node.random())") }
      request.body = .bytes(Array(try JSONEncoder().encode(changes)), type: type)
    }
    return try await base.response(for: request, progress: progress)
  }

  func download(
    _ request: NetworkRequest, to path: String, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse {
    try await base.download(request, to: path, progress: progress)
  }

  func events(for request: NetworkRequest) -> NetworkEventStream { base.events(for: request) }
}

extension ActivityRepository {
  /// The activities that the device shows now.
  var current: [Activity] {
    get async throws {
      for try await activities in activities() { return activities }
      return []
    }
  }
}
