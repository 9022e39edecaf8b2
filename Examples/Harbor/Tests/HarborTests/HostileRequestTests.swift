import CausewayData
import CausewayWeb
import Foundation
import HarborDomain
import Testing

@testable import HarborApp

/// Requests to both servers that no page or device would send.
///
/// The tests of the web server check the other attacks: slow clients, many connections, and malformed
/// requests.
@MainActor @Suite(.timeLimit(.minutes(10))) struct `A hostile client` {
  enum Server { case pages, backend }

  struct Attack: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var server: Server
    var method = "GET"
    var path: String
    var headers: [String: String] = [:]
    var size = 0
    var status: Int
  }

  nonisolated static let large = ["X-Large": String(repeating: "x", count: 9_000)]

  nonisolated static let attacks = [
    Attack(
      testDescription: "reads a file beside the pictures", server: .pages,
      path: "/pictures/..%2f..%2fcookie.key/x", status: 404),
    Attack(
      testDescription: "reads a file of the data directory", server: .pages,
      path: "/..%2fdevice.sqlite", status: 404),
    Attack(
      testDescription: "reads a picture of a group without the account", server: .pages,
      path: "/pictures/\(UUID().uuidString)/x", status: 404),
    Attack(
      testDescription: "stores a picture without a page", server: .pages, method: "POST",
      path: "/pictures", size: 10, status: 401),
    Attack(
      testDescription: "acts for another origin", server: .pages, method: "POST",
      path: "/_causeway/action", headers: ["Origin": "http://other.example"], size: 2, status: 403),
    Attack(
      testDescription: "acts in a session that has ended", server: .pages, method: "POST",
      path: "/_causeway/action",
      headers: [
        "Causeway-Session": String(repeating: "0", count: 32), "Causeway-Sequence": "1",
        "Content-Type": "application/json",
      ], size: 2, status: 410),
    Attack(
      testDescription: "sends a large header field", server: .pages, path: "/", headers: large,
      status: 431),
    Attack(
      testDescription: "reads a picture by the path of a file", server: .backend,
      path: "/groups/x/pictures/..%2f..%2fserver.sqlite", status: 404),
    Attack(
      testDescription: "reads the groups of another account", server: .backend,
      path: "/accounts/..%2flocal/groups", status: 404),
    Attack(
      testDescription: "sends changes for another origin", server: .backend, method: "POST",
      path: "/feedback", headers: ["Origin": "http://other.example"], size: 2, status: 403),
    Attack(
      testDescription: "sends a large text", server: .backend, method: "POST",
      path: "/feedback", size: 2 << 20, status: 413),
    Attack(
      testDescription: "sends too many changes", server: .backend, method: "POST",
      path: "/accounts/local/links/changes", size: 5 << 20, status: 413),
    Attack(
      testDescription: "sends a large header field to the backend", server: .backend,
      path: "/l/x", headers: large, status: 431),
  ]

  @Test func `is refused by both servers, and other clients are served`() async throws {
    try await LocalHarbor.with { harbor in
      let token = try await harbor.device.auth.token()?.access ?? ""
      func address(_ server: Server) -> String {
        server == .pages ? harbor.pages : harbor.backend
      }
      for attack in Self.attacks {
        var request = PlainRequest(
          method: attack.method, address: address(attack.server) + attack.path,
          headers: attack.headers)
        if attack.server == .backend { request.headers["Authorization"] = "Bearer \(token)" }
        if attack.size > 0 { request.body = Data(repeating: 0x20, count: attack.size) }
        #expect(try await request.answer().status == attack.status, "\(attack.testDescription)")
      }
      #expect(try await PlainRequest(address: harbor.pages).answer().status == 200)
    }
  }

  @Test func `gets a limited number of pages, and other clients get theirs`() async throws {
    var limits = WebServerLimits()
    limits.sessionsPerAddress = 3
    // After a few seconds, a new page may take the place of an unused one.
    let start = ContinuousClock.now
    try await LocalHarbor.with(limits, now: { start }) { harbor in
      var statuses: [Int] = []
      for client in ["203.0.113.1", "203.0.113.1", "203.0.113.1", "203.0.113.1", "203.0.113.2"] {
        let request = PlainRequest(address: harbor.pages, headers: ["X-Forwarded-For": client])
        statuses.append(try await request.answer().status)
      }
      #expect(statuses == [200, 200, 200, 429, 200])
    }
  }

  @Test func `cannot put a script into a page by any text`() async throws {
    try await LocalHarbor.with { harbor in
      let script = "</script><script>bad()</script>"
      let name = PersonName(stored: script)
      let device = harbor.device
      let account = try #require(device.account)
      try await DeviceGroups(device: device, engine: account.groups).found(name)
      let group = try #require(device.group)
      #expect(group.name == script)
      let board = account.board(of: group.id)
      try await board.activities.create(
        ActivityDetails(
          title: script, place: script, notes: script, start: Date(timeIntervalSinceNow: 86_400)),
        host: name)
      try await account.links.store(
        .add(LinkRecord(id: "x", target: "https://example.org/\(script)", created: 0)))
      for path in [
        "/", "/people", "/links", "/account", "/join/\(script.utf8.count)%3Cscript%3Ebad()",
      ] {
        let page = try await PlainRequest(
          address: harbor.pages + path, headers: ["Accept": "text/html"]
        ).answer()
        #expect(page.status == 200)
        #expect(!page.text.contains("<script>bad"), "\(path)")
        #expect(page.headers["content-security-policy"]?.contains("script-src 'self'") == true)
      }
      // The board with these texts is in the page.
      #expect(try await PlainRequest(address: harbor.pages).answer().text.contains("bad()"))
    }
  }
}
