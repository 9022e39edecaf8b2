import Foundation
import Testing

@testable import CausewayWeb

/// A browser tab from the server's point of view.
struct Tab: Sendable {
  let client: Client
  let token: String
  let cookie: String
  let state: JSONValue
  /// The position of the event stream.
  let version: String

  /// Opens the page, and gets a session.
  init(
    _ client: Client, cookie: String? = nil, path: String = "/", headers: [String: String] = [:]
  ) async throws {
    var headers = headers
    headers["Accept"] = "application/json"
    headers["Cookie"] = cookie
    let answer = try await client.get(path, headers)
    try #require(answer.status == 200, "\(answer.text)")
    guard case .string(let token) = answer.json?.value(at: "session"),
      case .string(let version) = answer.json?.value(at: "version"),
      let state = answer.json?.value(at: "state")
    else { throw URLError(.cannotParseResponse) }
    self.client = client
    self.token = token
    self.state = state
    self.version = version
    let set = answer.headers["set-cookie"].map { String($0.prefix { $0 != ";" }) }
    self.cookie = try #require(cookie ?? set)
  }

  var headers: [String: String] { ["Causeway-Session": token, "Cookie": cookie] }

  func act(
    _ number: UInt64, _ body: String, _ more: [String: String] = [:]
  ) async throws -> Client.Answer {
    var headers = headers
    headers["Content-Type"] = "application/json"
    headers["Causeway-Sequence"] = String(number)
    return try await client.send(
      "POST", "/_causeway/action", headers.merging(more) { _, new in new }, body: body)
  }

  /// Opens a stream, as a newly loaded page does.
  func stream(after page: Tab) throws -> EventStream { try stream(lastEventID: page.version) }

  func stream(lastEventID: String? = nil, headers more: [String: String] = [:]) throws
    -> EventStream
  {
    var headers = headers.merging(more) { _, new in new }
    headers["Last-Event-ID"] = lastEventID
    return EventStream(try client.request("GET", "/_causeway/stream", headers))
  }
}
