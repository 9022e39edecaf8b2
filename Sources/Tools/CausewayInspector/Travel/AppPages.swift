import CausewayBasics
import CausewayWeb

/// The pages of the app at earlier steps, on a separate server.
///
/// The inspector's page frames them. They have the app's own page file, style sheets and scripts.
/// Another server is necessary, because the two pages can have the same paths.
@MainActor
final class AppPages {
  /// The server, its address, and the secret at the beginning of each page's path.
  private(set) var server: (web: WebServer, url: String, secret: String)?
  /// The pages that follow a model's travel, by the name of the model.
  private var travels: [String: PageTravel] = [:]
  private var count = 0

  nonisolated init() {}

  /// Shows a model's page at a step; returns the address of the page, or `nil` if it has none.
  ///
  /// The page ignores actions.
  func show(_ model: any InspectedModel, at step: Int) async throws -> String? {
    guard let page = model.page, let other = model.copy(at: step),
      let hosted = try page.host(other)
    else { return nil }
    let server = try await start()
    // A later call may have shown another step meanwhile. From here on, nothing suspends, so two
    // calls cannot add two pages of one model.
    try Task.checkCancellation()
    if let travel = travels[model.name] {
      travel.show(hosted)
      return travel.address
    }
    let travel = PageTravel(hosted) { model in add(page, model, to: server) }
    travels[model.name] = travel
    return travel.address
  }

  /// Hosts a forked model, whose page accepts actions; returns its address, or `nil` without one.
  func host(_ fork: AnyObject, on page: OpenedPage?) async throws -> String? {
    guard let page, let hosted = try page.host(fork) else { return nil }
    return add(page, { hosted }, to: try await start())
  }

  func stop() async {
    let old = server
    (server, travels) = (nil, [:])
    await old?.web.stop(deadline: .zero)
  }

  private func add(
    _ page: OpenedPage, _ model: @escaping @MainActor @Sendable () -> HostedModel,
    to server: (web: WebServer, url: String, secret: String)
  ) -> String {
    page.addAssets(to: server.web)
    count += 1
    let path = "/\(server.secret)/\(count)"
    server.web.page(path, page.template) { _ in model() }
    return server.url + path
  }

  private func start() async throws -> (web: WebServer, url: String, secret: String) {
    if let server { return server }
    var configuration = WebServerConfiguration(port: 0)
    // Pages of this machine may frame it, if they know its address, which contains a secret.
    configuration.contentSecurityPolicy.frameAncestors = ["http://127.0.0.1:*"]
    configuration.reportError = { _ in }  // The app's server has reported the page's mistakes.
    let web = WebServer(configuration: configuration)
    let new = (web: web, url: try await web.start().url, secret: SessionToken.make())
    if let server {
      // Another task has started a server first.
      await web.stop(deadline: .zero)
      return server
    }
    server = new
    return new
  }
}

/// A page that shows a model at one step after the other.
@MainActor
private final class PageTravel {
  /// The model at the present step of the travel.
  @MainActor private final class Shown {
    var hosted: HostedModel

    init(_ hosted: HostedModel) {
      self.hosted = hosted
    }
  }

  private let changes = CurrentValue(0)
  private let shown: Shown
  /// The page's model, for each of its tabs.
  let model: HostedModel
  let address: String

  /// - Parameter add: Adds the page, and returns its address.
  init(
    _ first: HostedModel,
    add: (@escaping @MainActor @Sendable () -> HostedModel) -> String
  ) {
    let shown = Shown(first)
    self.shown = shown
    var model = HostedModel(following: changes) { shown.hosted }
    model.shared = first.shared
    self.model = model
    address = add { [model] in model }
  }

  func show(_ hosted: HostedModel) {
    shown.hosted = hosted
    changes.update { $0 += 1 }
  }
}
