import Causeway
import CausewayData
import CausewaySimulation
import Foundation
import HarborDomain
import HarborFeatures

@testable import HarborApp

/// A page of a device: the app's view models on the simulated main actor.
///
/// As on a web server, the page begins again when the device changes its account or its group.
@MainActor final class HarborPage {
  struct NotStored: Error {}

  private let device: Device
  private let node: NodeContext
  private var model: ViewModel<PageViewState, HarborInteractor.Action>?
  private var board: ViewModel<BoardViewState, FeedInteractor.Action>?

  /// - Parameter restarts: Whether the page begins again.
  init(_ device: Device, _ node: NodeContext, restarts: Bool) {
    self.device = device
    self.node = node
    if restarts { device.restartPages = { [weak self] in self?.begin() } }
    begin()
  }

  private func begin() {
    let wording = BoardWording(timeZone: .gmt)
    let environment = device.environment(for: "browser", wording)
    let model = ViewModel(
      HarborInteractor(environment: environment, address: "/people"),
      reducer: PageReducer(wording: wording))
    model.send(.appear)
    model.send(.visit("/links"))
    model.send(.visit("/account"))
    self.model = model
    var feed = environment.feed
    feed.personal = nil
    feed.names = NoName()
    let board = ViewModel(
      FeedInteractor(environment: feed), reducer: BoardReducer(wording: wording))
    board.send(.appear)
    self.board = board
  }

  // MARK: - The shown texts

  /// The texts of the page; `nil` without an account.
  private var shown: PageViewState? { model?.viewState.isSignedIn == true ? model?.viewState : nil }

  /// The titles on the board.
  var titles: [String] { board?.viewState.days.flatMap(\.cards).map(\.title) ?? [] }

  /// The names of the links.
  var links: [String] { shown?.links.rows.map(\.id) ?? [] }

  /// The ids of the groups.
  var groups: [String] { shown?.groups.rows.map(\.id) ?? [] }

  /// The name of the group whose board the page shows.
  var groupName: String? { shown?.groups.rows.first(where: \.isShown)?.name }

  /// The ids of the people on the board.
  var people: [String] { shown?.people.rows.map(\.id) ?? [] }

  /// The addresses of the pictures, by the ids of the people.
  var pictures: [String: String] {
    let rows = shown?.people.rows.filter(\.hasPicture) ?? []
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.picture) })
  }

  // MARK: - The user

  /// Adds a link, and waits until the page shows it.
  func addLink(_ name: String) async throws {
    await send(.home(.links(.add(name: name, target: "https://example.org/\(name)"))))
    try await node.clock.sleep(for: .seconds(1))
    if !links.contains(name) { throw NotStored() }
  }

  func removeLink(_ name: String) async { await send(.home(.links(.remove(name)))) }

  /// Chooses a picture, and gives it to a person.
  ///
  /// - Parameter noted: Called with the id of the picture before any page can show it.
  func setPicture(
    _ bytes: [UInt8], of person: String, noted: @Sendable (String) -> Void
  ) async throws {
    guard let group = device.group?.id, let page = model else { return }
    let id = try await device.keep(picture: bytes, for: group)
    noted(id)
    // The next page may show another group, for which the picture is not stored.
    guard page === model else { return }
    await send(.home(.people(.person(person, .setPicture(id)))))
  }

  /// Returns the bytes of a shown picture, as the page loads them.
  func picture(at address: String) async throws -> [UInt8] {
    let parts = address.split(separator: "/").map(String.init)
    return try await device.pictures.value(for: PictureKey(group: parts[1], id: parts[2]))
  }

  /// Makes an invitation, and returns its code.
  func invite(to group: String) async throws -> String {
    await send(.home(.groups(.invite(group))))
    guard let code = shown?.groups.invitation.split(separator: "/").last else { throw NotStored() }
    return String(code)
  }

  /// Accepts an invitation, and returns whether the account is a member now.
  ///
  /// The page begins again with the board of the group.
  func accept(_ code: String) async { await send(.home(.groups(.accept(code)))) }

  /// Sends an action, unless the page shows no account any more, and waits for its effects.
  private func send(_ action: HarborInteractor.Action) async {
    guard let model, model.viewState.isSignedIn else { return }
    await model.send(action).finish()
  }
}
