import Causeway
import CausewayInspector
import CausewayWeb

/// An app with a page: a lamp whose brightness a button raises.
struct Lamp: Interactor {
  struct State: Encodable, Equatable, Sendable { var brightness = 0 }
  enum Action: Codable, Sendable { case raise }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      state.brightness += 1
      return .state
    }
  }

  static let html = """
    <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Lamp</title>
    <link rel="icon" href="data:,"><link rel="stylesheet" href="/lamp.css">
    <!-- causeway --></head>
    <body><img src="/pictures/lamp" alt="The lamp"><h1>Brightness <output data-text="brightness"></output></h1>
    <button data-on="click" data-action='{"raise":{}}'>Raise</button></body></html>
    """

  private nonisolated static let picture =
    "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><circle cx='20' cy='20' r='18' "
    + "fill='gold'/></svg>"

  /// A server with the page, whose models an inspector watches.
  ///
  /// - Parameter around: Runs around the work of the server's requests.
  static func serve(
    watchedBy inspector: Inspector,
    around: (
      @concurrent @Sendable (Request, @escaping @Sendable () async -> Response) async -> Response
    )? = nil
  ) async throws -> (web: WebServer, url: String) {
    var configuration = WebServerConfiguration(port: 0)
    configuration.aroundRequest = around
    let web = WebServer(configuration: configuration)
    web.asset("/lamp.css", Array("h1 { font: 2rem sans-serif }".utf8))
    web.get("/pictures/:name") { request in
      // Only the browser that has opened the page sees the picture.
      guard request.headers["Cookie"]?.contains("causeway-") == true else {
        throw Problem.notFound("There is no picture for this browser.")
      }
      return Response(.ok, type: "image/svg+xml", bytes: Array(picture.utf8))
    }
    web.get("/export") { _ in Response(.ok, type: "text/csv", bytes: [1]) }
    web.page("/", try PageTemplate(html)) { _ in
      ViewModel(
        Lamp(),
        observer: .inspected(by: inspector) { state, observer in
          ViewModel(Lamp(), initialState: state, observer: observer)
        })
    }
    return (web, try await web.start().url)
  }
}
