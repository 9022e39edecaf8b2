import CausewayData
import CausewayWeb
import Foundation
import HarborBackend
import HarborDomain
import HarborFeatures

/// The device for its pages.
extension Device: PageSource {
  func serve(on server: WebServer) { restartPages = { server.endSessions() } }

  func open(_ session: WebSession) -> OpenPage {
    OpenPage(account: account?.id.rawValue, group: group?.id) { [self] wording in
      environment(for: session.browser, wording)
    }
  }

  func boards(of group: String) -> SharedBoards? { account?.board(of: group).shared }

  func activity(_ id: String, for _: Request) -> Activity? {
    group.flatMap { account?.board(of: $0.id).snapshot.value?[id: id] }
  }

  func picture(_ key: PictureKey, for _: Request) async throws -> [UInt8] {
    guard account?.list.contains(where: { $0.id == key.group }) == true else {
      throw Problem.notFound("There is no such picture.")
    }
    do {
      return try await pictures.value(for: key)
    } catch ResourceError.removed, ResourceError.sessionEnded {
      // The account has signed out meanwhile.
      throw Problem.notFound("There is no such picture.")
    }
  }

  func add(picture: [UInt8], to group: String, for _: Request) async throws -> String {
    do { return try await keep(picture: picture, for: group) } catch SessionError.signedOut {
      throw Problem(.unauthorized, code: "signed-out", detail: "Sign in again.")
    }
  }

  /// Stores a picture on this device, and sends it when the server can be reached; returns its id.
  func keep(picture: [UInt8], for group: String) async throws -> String {
    guard account?.list.contains(where: { $0.id == group }) == true else {
      throw Problem.notFound("There is no such group.")
    }
    let waiting = try await outbox.entries().count { $0.collection == PictureServer.collection }
    guard waiting < PictureServer.mostWaiting else {
      throw Problem(
        .tooManyRequests, code: "too-many-pictures",
        detail: "\(waiting) pictures wait for the server. Choose this one when they are sent.")
    }
    let type = try PictureHeader(picture).type
    let id = environment.makeID()
    // The server would remove the metadata too. They do not stay on this device either.
    try await uploads.enqueue(
      type.removingMetadata(from: picture), type: type.rawValue, name: id,
      fields: PictureServer.fields(of: group), key: IdempotencyKey(rawValue: id))
    return id
  }

  /// The people of all groups of the account.
  var people: [SyncEngine<CollectionSource<PersonMutation>>] {
    account.map { parts in parts.list.map { parts.board(of: $0.id).people } } ?? []
  }

  /// The services of a page; each browser has its own name on the board.
  func environment(for browser: String, _ wording: BoardWording) -> HarborEnvironment {
    let name = BrowserName(names, browser: browser, fallback: accountName)
    let parts = account
    let board = group.flatMap { parts?.board(of: $0.id) }
    var pages = board?.pages
    pages?.admit = { [creations] in creations.allows(browser) }
    return HarborEnvironment(
      feed: FeedEnvironment(
        activities: pages ?? NoBoard() as any ActivityRepositoryProtocol,
        names: DeviceName(device: self, browser: browser, stored: name), wording: wording,
        now: self.environment.now,
        pause: { [clock = self.environment.clock] in try await clock.sleep(for: $0) },
        personal: board.map { PagePart($0.snapshot, name).board },
        beginning: { [snapshot = board?.snapshot] in
          .init(activities: snapshot?.value, person: name.latest)
        }),
      search: board.map { GroupSearch(activities: $0.activities) } ?? NoServices(),
      people: board.map {
        GroupPeople(
          group: group?.id ?? "", board: { [snapshot = $0.snapshot] in snapshot.stream() },
          engine: $0.people, pictures: pictures)
      } ?? NoServices(),
      links: parts.map { AccountLinks(engine: $0.links, server: self.environment.server) }
        ?? NoServices(),
      feedback: ServerFeedback(network: network),
      groups: parts.map { DeviceGroups(device: self, engine: $0.groups) } ?? NoServices(),
      connection: DeviceConnection(outbox: outbox, published: connection) { [weak parts] in
        Task { await parts?.retryNow() }
      },
      account: DeviceAccount(device: self), beginning: accountStates.value)
  }
}
