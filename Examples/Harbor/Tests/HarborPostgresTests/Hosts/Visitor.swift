import CausewayData
import CausewayHTTP
import Foundation
import HarborDomain
import Synchronization

/// A browser without a window: its cookies, and the session of one page.
final class Visitor: Sendable {
  /// The parts of the page that tests read.
  struct Content: Decodable, Sendable {
    struct Account: Decodable, Sendable { var name: String }
    struct Feed: Decodable, Sendable { var you: You }
    struct You: Decodable, Sendable { var name: String }
    var isSignedIn: Bool
    var account: Account
    var feed: Feed
  }

  private struct State {
    var cookies: [String: String] = [:]
    var session: String?
    var actions = 0
    var creations = 0
  }

  private struct Opening: Decodable {
    var session: String
    var state: Content
  }

  private let network: HTTPNetworkService
  private let state: Mutex<State>

  /// - Parameter cookies: The cookies of another visitor, which is then the same browser.
  init(_ server: Server, cookies: [String: String] = [:]) {
    var configuration = server.guest.configuration
    configuration.events.reconnecting.firstDelay = .milliseconds(1)
    network = HTTPNetworkService(configuration)
    state = Mutex(State(cookies: cookies))
  }

  var cookies: [String: String] { state.withLock(\.cookies) }
  /// The host to which the proxy sends the browser.
  var host: String? { cookies["harbor-host"] }

  private var headers: NetworkHeaders {
    state.withLock { state in
      var headers: NetworkHeaders = [:]
      headers["Cookie"] = state.cookies.map { "\($0)=\($1)" }.joined(separator: "; ")
      headers["Causeway-Session"] = state.session
      return headers
    }
  }

  private func store(_ response: NetworkResponse) {
    let fields = response.headers["set-cookie"] ?? ""
    state.withLock { state in
      for cookie in fields.matches(of: /(?:^|, )([^=;, ]+)=([^;,]*)/) {
        state.cookies[String(cookie.1)] = String(cookie.2)
      }
    }
  }

  /// Opens the page, or opens it again as its script does after the end of its session.
  @discardableResult
  func open() async throws -> Content {
    var headers = headers
    headers["Accept"] = "application/json"
    let response = try await network.response(for: .init(.get, "/", headers: headers))
    store(response)
    let opening = try JSONDecoder().decode(Opening.self, from: Data(response.body))
    state.withLock { state in
      (state.session, state.actions, state.creations) = (opening.session, 0, 0)
    }
    return opening.state
  }

  /// Sends an action, and returns whether its effects have ended.
  @discardableResult
  func send(_ action: String) async throws -> Bool {
    var headers = headers
    headers["Causeway-Sequence"] = state.withLock { state in
      state.actions += 1
      return "\(state.actions)"
    }
    let response = try await network.response(
      for: .init(
        .post, "/_causeway/action", headers: headers,
        body: .bytes(Array(action.utf8), type: "application/json")))
    store(response)
    return response.status == 200
  }

  /// Adds an activity, and returns whether that was acknowledged.
  func create(_ title: String, day: Int = 3) async throws -> Bool {
    let start = Date(timeIntervalSinceNow: Double(day) * 86_400).formatted(.iso8601).prefix(16)
    let attempt = state.withLock { state in
      defer { state.creations += 1 }
      return state.creations
    }
    let form = #"{"title":"\#(title)","place":"","notes":"","start":"\#(start)"}"#
    return try await send(#"{"create":{"attempt":\#(attempt),"form":\#(form)}}"#)
  }

  /// The events of the page.
  var events: NetworkEventStream {
    network.events(for: .init(.get, "/_causeway/stream", headers: headers))
  }

  /// Waits until the session of the page has ended.
  func waitForEnd() async throws {
    do {
      for try await _ in events {}
    } catch let error as NetworkError where error.status == 410 {}
  }

  /// Makes an account with an invitation, or signs in to it.
  func enter(_ name: String, invitation: String? = nil) async throws {
    try await open()
    let code = invitation.map { #","invitation":"\#($0)""# } ?? ""
    try await send(
      """
      {"\(invitation == nil ? "signIn" : "signUp")":\
      {"name":"\(name)","passphrase":"\(Self.passphrase)"\(code)}}
      """)
    try await waitForEnd()
    let content = try await open()
    guard content.isSignedIn, content.account.name == name else {
      throw TestServer.Failure(description: "\(name) is not signed in: \(content)")
    }
  }

  static let passphrase = "correct horse battery"
}
