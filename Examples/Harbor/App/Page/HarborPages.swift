import Causeway
import CausewayData
import CausewayWeb
import Foundation
import HarborDomain
import HarborFeatures

/// The pages of a device, on a web server.
@MainActor struct HarborPages {
  let device: Device

  /// Adds the pages and their files to a server.
  func serve(on server: WebServer) throws {
    let template = try PageTemplate(String(decoding: PackageResources.index_html, as: UTF8.self))
    server.page(
      "/", template, answering: \.answer,
      sharing: { session in try board(for: session)?.shared.board(in: session.timeZone).state }
    ) { session in
      try feed(for: session)
    }
    server.asset("/palette.css", PackageResources.palette_css)
    server.asset("/harbor.css", PackageResources.harbor_css)
    server.asset("/board.css", PackageResources.board_css)
    server.asset("/layout.css", PackageResources.layout_css)
    server.asset("/harbor.svg", PackageResources.harbor_svg)
  }

  private func board(for session: WebSession) -> GroupBoard? {
    guard let account = device.account else { return nil }
    let wanted = session.query("group") ?? device.preferences["group"]
    guard let group = account.list.first(where: { $0.id == wanted }) ?? account.list.first
    else { return nil }
    session.account = account.id.rawValue
    return account.board(of: group.id)
  }

  private func feed(
    for session: WebSession
  ) throws -> ViewModel<PersonalViewState, FeedInteractor.Action> {
    guard let board = board(for: session) else {
      throw Problem.notFound("There is no group.")
    }
    let wording = try board.shared.board(in: session.timeZone).wording
    let name = BrowserName(device.names, browser: session.browser, fallback: device.accountName)
    let environment = FeedEnvironment(
      activities: board.activities, names: name, wording: wording,
      beginning: { [snapshot = board.snapshot] in
        .init(activities: snapshot.activities, person: name.latest)
      })
    let feed = ViewModel(
      FeedInteractor(environment: environment), reducer: PersonalReducer(wording: wording))
    feed.send(.appear)
    return feed
  }
}
