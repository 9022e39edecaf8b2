import CausewayWeb
import CausewayWebTesting
import Foundation
import Synchronization
import Testing

@testable import CausewayInspector

@Suite("The app's page at an earlier step", .timeLimit(.minutes(10)))
struct AppPageTests {
  private func open(
    raises: Int,
    around: (
      @concurrent @Sendable (Request, @escaping @Sendable () async -> Response) async -> Response
    )? = nil, _ body: (Inspector, PageTestClient, PageTestClient) async throws -> Void
  ) async throws {
    let inspector = try Inspector()
    _ = try await inspector.start()
    let app = try await Lamp.serve(watchedBy: inspector, around: around)
    let lamp = try await PageTestClient(app.web)
    for _ in 0..<raises { try await lamp.send(Lamp.Action.raise) }
    await inspector.settle()
    let server = try #require(inspector.page.withLock { $0 })
    let path = "/" + (server.address.split(separator: "/").last ?? "")
    try await body(inspector, PageTestClient(server.web, path: path), lamp)
    await inspector.stop()
    await app.web.stop(deadline: .zero)
  }

  /// The page at an address of the inspector's page.
  private func framed(_ address: String, by inspector: Inspector) async throws -> PageTestClient {
    let server = try #require(await inspector.appPages.server)
    #expect(address.hasPrefix(server.url))
    return try await PageTestClient(
      server.web, path: String(address.dropFirst(server.url.count)))
  }

  @Test func `follows the travel, and ignores actions`() async throws {
    try await open(raises: 5) { inspector, page, _ in
      try await page.send(Timeline.PageAction.select(3))
      _ = try await page.value("detail.hasPage", as: Bool.self) { $0 }
      try await page.send(Timeline.PageAction.togglePage)
      let address = try await page.value("page", as: String.self)
      let framed = try await framed(address, by: inspector)
      #expect(framed.html.contains("/lamp.css"))
      _ = try await framed.value("brightness", as: Int.self) { $0 == 2 }
      try await framed.send(Lamp.Action.raise)
      for step in [5, 1, 4] {
        try await page.send(Timeline.PageAction.travel(to: step))
        _ = try await framed.value("brightness", as: Int.self) { $0 == step }
      }
      #expect(try await page.value("page", as: String.self) == address)
      #expect(await inspector.recording().events.count == 6)
      #expect(try await page.problems == [])
    }
  }

  @Test func `is one page, even if two tabs show it first at the same time`() async throws {
    try await open(raises: 5) { inspector, _, _ in
      @MainActor func show(_ step: Int) async throws -> String? {
        let model = try #require(inspector.models.model(named: "Lamp"))
        return try await inspector.appPages.show(model, at: step)
      }
      async let first = show(2)
      async let second = show(3)
      let addresses = try await [first, second]
      #expect(addresses[0] != nil && addresses[0] == addresses[1])
    }
  }

  @Test func `goes on in a fork, beside the app`() async throws {
    try await open(raises: 5) { inspector, page, lamp in
      try await page.send(Timeline.PageAction.select(3))
      try await page.send(Timeline.PageAction.togglePage)
      let past = try await page.value("page", as: String.self)
      try await page.send(Timeline.PageAction.fork)
      let address = try await page.value("page", as: String.self) { $0 != past }
      let fork = try await framed(address, by: inspector)
      try await fork.send(Lamp.Action.raise)
      _ = try await fork.value("brightness", as: Int.self) { $0 == 3 }
      #expect(try await lamp.value("brightness", as: Int.self) == 5)
      await inspector.settle()
      #expect(await inspector.recording().events.last?.model == "Lamp, from step 2")
    }
  }

  @Test func `is framed only by pages of this machine that know its address`() async throws {
    try await open(raises: 1) { inspector, page, _ in
      try await page.send(Timeline.PageAction.select(2))
      try await page.send(Timeline.PageAction.togglePage)
      let address = try await page.value("page", as: String.self)
      let server = try #require(await inspector.appPages.server)
      func status(_ path: String, _ headers: HTTPHeaders) async -> HTTPStatus {
        await server.web.respond(to: Request(.get, path, headers: headers)).status
      }
      let path = String(address.dropFirst(server.url.count))
      let frame = { (site: String) -> HTTPHeaders in
        ["Sec-Fetch-Site": site, "Sec-Fetch-Dest": "iframe"]
      }
      #expect(await status(path, frame("same-site")) == .ok)
      #expect(await status(path, frame("cross-site")) == .forbidden)
      #expect(await status("/1", frame("same-site")) == .notFound)
      #expect(await status("/lamp.css", [:]) == .ok)
      let answer = await server.web.respond(to: Request(.get, path))
      let policy = answer.headers["Content-Security-Policy"] ?? ""
      #expect(policy.contains("frame-ancestors http://127.0.0.1:*") || policy.isEmpty)
    }
  }

  @Test func `shows the app's pictures, to the browsers that the app shows them to`() async throws {
    let surrounded = Mutex<[String]>([])
    try await open(
      raises: 1,
      around: { request, respond in
        surrounded.withLock { $0.append(request.path) }
        return await respond()
      }
    ) { inspector, page, lamp in
      try await page.send(Timeline.PageAction.select(2))
      try await page.send(Timeline.PageAction.togglePage)
      _ = try await page.value("page", as: String.self)
      let server = try #require(await inspector.appPages.server)
      func status(_ path: String, _ destination: String, _ cookie: String?) async -> HTTPStatus {
        var headers: HTTPHeaders = ["Sec-Fetch-Dest": destination]
        headers["Cookie"] = cookie
        return await server.web.respond(to: Request(.get, path, headers: headers)).status
      }
      #expect(await status("/pictures/lamp", "image", lamp.cookies) == .ok)
      #expect(surrounded.withLock { $0.filter { $0.hasPrefix("/pictures") } } == ["/pictures/lamp"])
      #expect(await status("/pictures/lamp", "image", nil) == .notFound)
      #expect(await status("/pictures/lamp", "document", lamp.cookies) == .notFound)
      #expect(await status("/export", "image", lamp.cookies) == .notFound)
    }
  }
}
