import CInspectorPage
import Causeway
import CausewayWeb
import Foundation

/// The page of an inspector, on a port of this machine.
struct InspectorServer: Sendable {
  let web: WebServer
  /// The address of the page, with its token.
  let address: String

  /// Starts the server.
  static func start(_ inspector: Inspector, port: UInt16) async throws(InspectorError) -> Self {
    let token = SessionToken.make()
    // The default host is 127.0.0.1, and the server refuses other host names and origins.
    var configuration = WebServerConfiguration(port: port)
    configuration.contentSecurityPolicy.frameSources = ["http://127.0.0.1:*"]
    // A developer may scroll fast. The page sends only one action at a time.
    configuration.limits.actionsPerSecond = 500
    configuration.limits.actionBurst = 1_000
    let web = WebServer(configuration: configuration)
    // The files come first, because the pattern of the page matches their paths too.
    web.asset("/inspector.css", String(cString: inspector_page_inspector_css()).utf8)
    web.asset("/timeline.css", String(cString: inspector_page_timeline_css()).utf8)
    web.asset("/inspector.js", String(cString: inspector_page_inspector_js()).utf8)
    let recordings = OpenedRecordings()
    recordings.serve(on: web)
    do {
      let html = String(cString: inspector_page_inspector_html())
      let template = try PageTemplate(html, name: "inspector.html")
      web.page(
        "/:token", template, receiving: Timeline.PageAction.self, as: Timeline.Action.page
      ) { session in
        guard token.isSameSecret(as: session.parameters["token"] ?? "") else {
          throw Problem.notFound("There is nothing here.")
        }
        let model = ViewModel(Timeline(inspector, recordings))
        model.send(.appear)
        return model
      }
    } catch {
      preconditionFailure("\(error)")  // The page is a part of this module.
    }
    do {
      let url = try await web.start().url
      return Self(web: web, address: "\(url)/\(token)")
    } catch {
      throw .page(error)
    }
  }
}
