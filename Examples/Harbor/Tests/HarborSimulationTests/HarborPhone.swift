import CausewayData
import CausewayHTTP
import CausewaySQLite
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
    /// The page of an earlier account stays open.
    case keepsPage
    /// A picture loses its last byte on its way.
    case cutsPictures
  }

  private let device: Device
  let page: HarborPage
  let session: SessionService
  let outbox: Outbox
  let node: NodeContext
  let ledger: HarborLedger
  /// The text of all activities, which no file may contain after a sign-out.
  static let secret = "Regatta"

  /// The start of a device without an account that has data of an account.
  private struct Leftover: Error, CustomStringConvertible {
    let description: String
  }

  /// - Parameter isStrict: Whether no sign-out may leave data, even if a crash interrupts it.
  init(
    _ node: NodeContext, server: NodeID, ledger: HarborLedger, bug: Bug? = nil,
    isStrict: Bool
  ) async throws {
    self.node = node
    self.ledger = ledger
    ledger.restarted(node.name)
    let storage = DeviceStorage(
      tokens: bug == .keepsToken
        ? KeptToken(store: node.tokenStore("token")) : node.tokenStore("token"),
      pictures: node.diskStore("pictures", bytes: 1 << 20),
      makeUploads: {
        node.uploads(
          "uploads", outbox: $0, server: $1, collection: PictureServer.collection,
          partSize: PictureServer.partSize)
      },
      openDatabase: { migrations in
        let store = try await node.database("device.sqlite", migrations: migrations)
        try await store.checkIntegrity()
        return store
      })
    let environment = Device.Environment(
      storage: storage, server: URL(filePath: "/"),
      network: { session in
        let network = node.httpNetwork(to: server, session: session)
        return bug == nil ? network : WrongNetwork(base: network, node: node, bug: bug)
      }, localTokens: nil,
      report: { error in node.log("reports \(error)") }, clock: node.clock,
      sync: node.surroundings, now: { node.date },
      makeID: { node.uuid().uuidString.lowercased() })
    device = try await Device.open(environment, ShutdownSequence())
    (session, outbox) = await (device.session, device.outbox)
    page = await HarborPage(device, node, restarts: bug != .keepsPage)
    if isStrict, session.current == nil, let leftover = leftover(of: [:]) {
      throw Leftover(description: "no account is signed in, but \(leftover)")
    }
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

  /// The text at the end of all names that this account makes, different for each account.
  private var mark: String { String(session.current?.account.rawValue.prefix(8) ?? "") }

  /// Puts an activity on the board.
  func create(_ random: inout SimulationRandom) async throws {
    guard let board = await board else { return }
    let title = ledger.newText("\(Self.secret) of \(node.name)")
    let start = node.date.addingTimeInterval(3_600)
    try await ledger.perform(.create, title, on: node.name) {
      _ = try await board.create(
        ActivityDetails(title: title, place: nil, notes: nil, start: start),
        host: PersonName(stored: "Skipper \(mark)"))
    }
  }

  /// Changes the notes of an activity of the account.
  func edit(_ random: inout SimulationRandom) async throws {
    let host = PersonName(stored: "Skipper \(mark)")
    guard let board = await board,
      let activity = try await board.current.filter({ $0.host == host })
        .randomElement(using: &random)
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
    let person = PersonName(
      stored: "Guest \(Int.random(in: 1...3, using: &random)) \(mark)")
    if activity.includes(person) {
      try await board.leave(activity.id, as: person)
    } else {
      try await board.join(activity.id, as: person)
    }
  }

  /// Adds a link on the page.
  func addLink() async throws {
    guard let account = session.current?.account.rawValue else { return }
    let name = "\(node.name)-\(ledger.newNumber())-link".replacing(" ", with: "-")
    try await ledger.perform(.link(account: account), name, on: node.name) {
      try await page.addLink(name)
    }
  }

  func removeLink(_ random: inout SimulationRandom) async {
    guard let name = await page.links.randomElement(using: &random) else { return }
    ledger.removing(link: name)
    await page.removeLink(name)
  }

  /// Gives a person of the account a new picture.
  func setPicture(_ random: inout SimulationRandom) async throws {
    let own = mark
    guard
      let person = await page.people.filter({ $0.hasSuffix(own) }).randomElement(using: &random)
    else { return }
    let count = Int.random(in: 1...3_000, using: &random)
    let pixels = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    let bytes = Self.picture(of: pixels)
    try await page.setPicture(bytes, of: person) { ledger.uploaded($0, bytes) }
  }

  /// A PNG file with these bytes as its compressed pixels.
  ///
  /// The backend removes what is not a part of a picture.
  private static func picture(of pixels: [UInt8]) -> [UInt8] {
    let count = UInt32(truncatingIfNeeded: pixels.count)
    let size = (0..<4).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    let checksum: [UInt8] = [1, 2, 3, 4]
    return [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0,
      9, 0, 0, 0, 9, 8, 2, 0, 0, 0,
    ] + checksum + size + Array("IDAT".utf8) + pixels + checksum
  }

  /// Loads all shown pictures; returns the address of a picture with wrong bytes.
  func wrongPicture() async throws -> String? {
    for address in await page.pictures.values.sorted() {
      let id = address.split(separator: "/").last.map(String.init) ?? ""
      if try await page.picture(at: address) != ledger.pictures[id] { return address }
    }
    return nil
  }

  func invite() async throws {
    ledger.invited(try await page.invite(to: HarborBackendNode.crew))
  }

  /// Accepts an invitation to the second group.
  func accept(_ random: inout SimulationRandom) async throws {
    guard let code = ledger.invitations.randomElement(using: &random),
      let account = session.current
    else { return }
    await page.accept(code)
    try await node.clock.sleep(for: .seconds(5))
    if await page.groups.contains(HarborBackendNode.crew), account.isCurrent {
      ledger.joined(account.account.rawValue)
    }
  }

  /// Makes a group, and shows its board.
  func found(_ name: String) async throws {
    guard let engine = await MainActor.run(body: { device.account?.groups }) else { return }
    try await DeviceGroups(device: device, engine: engine).found(PersonName(stored: name))
  }

  /// The name of the group whose board the pages show.
  var groupName: String? { get async { await MainActor.run { device.group?.name } } }

  /// Shows the board of the group that all accounts belong to.
  func showGroup() async { await device.show(group: HarborBackendNode.group) }

  // MARK: - The state

  /// The shown board; `nil` without an account.
  var board: ActivityRepository? {
    get async {
      await MainActor.run {
        device.group.flatMap { device.account?.board(of: $0.id).activities }
      }
    }
  }

  /// The texts of the changes that may not have reached the server.
  private var pendingTexts: [String] {
    get async throws {
      try await outbox.entries().map { String(decoding: $0.payload, as: UTF8.self) }
    }
  }

  /// The first file with data of the group or of an account; `nil` if there is none.
  func leftover(of accounts: [String: String]) -> String? {
    let secrets =
      [Self.secret, "Skipper", HarborBackendNode.group, HarborBackendNode.crew] + accounts.values
      + accounts.keys
    for (name, bytes) in node.diskContents.sorted(by: { $0.key < $1.key }) {
      if let found = secrets.sorted().first(where: { Self.contains(bytes, $0) }) {
        return "\(name) contains \"\(found)\""
      }
    }
    return nil
  }

  /// Returns whether a file contains a text.
  ///
  /// A search for characters would take a quarter of the time of a trial.
  private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    Data(bytes).range(of: Data(text.utf8)) != nil
  }
}

/// A token that is never removed.
private struct KeptToken: TokenStore {
  let store: FileTokenStore

  func load() throws(TokenStoreError) -> AuthToken? { try store.load() }
  func save(_ token: AuthToken) throws(TokenStoreError) { try store.save(token) }
  func remove() throws(TokenStoreError) {}
}

/// A network service with the planted bug of a device.
private struct WrongNetwork: NetworkService {
  let base: HTTPNetworkService
  let node: NodeContext
  let bug: HarborPhone.Bug?

  var coding: JSONCoding { base.coding }

  func response(
    for request: NetworkRequest, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse {
    var request = request
    if bug == .forgetsKey, case .bytes(let bytes, let type) = request.body,
      var changes = try? JSONDecoder().decode(
        [SentChange<ActivityMutation>].self, from: Data(bytes))
    {
      for index in changes.indices { changes[index].key = .init(rawValue: "\(node.random())") }
      request.body = .bytes(Array(try JSONEncoder().encode(changes)), type: type)
    }
    var response = try await base.response(for: request, progress: progress)
    if bug == .cutsPictures, request.method == .get, request.path.encoded.contains("/pictures/") {
      response.body.removeLast()
    }
    return response
  }

  func download(
    _ request: NetworkRequest, to path: String, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse {
    try await base.download(request, to: path, progress: progress)
  }

  func events(
    for request: NetworkRequest, reconnects: Bool, connection: @escaping NetworkConnection.Observer
  ) -> NetworkEventStream {
    base.events(for: request, reconnects: reconnects, connection: connection)
  }
}

extension ActivityRepository {
  /// The activities that the device shows now.
  var current: [Activity] {
    get async throws {
      for try await activities in activities() { return Array(activities) }
      return []
    }
  }
}
