import Foundation
import Testing

@testable import CausewayWeb

@Suite struct `The files of pages that keep their state` {
  private static func server(
    _ page: String = Board.page, offline: OfflinePages? = options
  ) throws -> WebServer {
    var configuration = WebServerConfiguration(port: 8080)
    configuration.offline = offline
    let server = WebServer(configuration: configuration)
    server.get("/boards/new") { _ in .text("new") }
    server.get("/elsewhere") { _ in .text("elsewhere") }
    for pattern in ["/", "/boards/:id", "/join/:code"] {
      server.page(pattern, try PageTemplate(page)) { _ in throw Problem.notFound("No board.") }
    }
    server.asset("/app.css", Array("body {}".utf8))
    server.asset("/icon.svg", Array("<svg/>".utf8))
    return server
  }

  private static let options = OfflinePages(
    name: "Board", icons: ["/icon.svg"], themeColor: "#123456", backgroundColor: "#ffffff",
    pages: ["/", "/boards/:id"], hiding: ["code"])

  private func get(_ path: String, of server: WebServer) async throws -> (Response, String) {
    let response = await server.respond(
      to: Request(.get, path, headers: ["Host": "127.0.0.1:8080"]))
    guard case .bytes(let bytes) = response.body else { return (response, "") }
    return (response, String(decoding: bytes, as: UTF8.self))
  }

  private func build(of server: WebServer) async throws -> String {
    let (_, text) = try await get("/_causeway/service.js", of: server)
    return try #require(text.firstMatch(of: #/"build":"([^"]+)"/#)).output.1.description
  }

  @Test func `are a worker for all pages, its page files and a manifest`() async throws {
    let server = try Self.server()
    let (worker, text) = try await get("/_causeway/service.js", of: server)
    #expect(worker.status == .ok)
    #expect(worker.headers["Content-Type"] == "text/javascript; charset=utf-8")
    #expect(worker.headers["Service-Worker-Allowed"] == "/")
    #expect(worker.headers["Cache-Control"] == "no-cache")
    let policy = try #require(worker.headers["Content-Security-Policy"])
    #expect(policy.contains("worker-src 'self';") && policy.contains("manifest-src 'self';"))
    let assets = #"["/_causeway/causeway.js","/manifest.webmanifest","/app.css","/icon.svg"]"#
    #expect(text.contains("\"assets\":\(assets)"))
    // The worker finds the same route as the server.
    #expect(
      text.contains(#""routes":[["/boards/new",-1],["/",0],["/boards/:id",1],["/join/:code",-1]]"#),
      "\(text.prefix(400))")

    let build = try await build(of: server)
    let (shell, page) = try await get("/_causeway/shell?build=\(build)&page=0", of: server)
    #expect(shell.headers["Content-Type"] == "text/plain; charset=utf-8")
    #expect(page.contains(#"<meta name="causeway-session" content="">"#))
    #expect(page.contains(#"<meta name="causeway-owner" content="">"#))
    #expect(page.contains(#"id="state">null</script>"#))
    #expect(shell.headers["Set-Cookie"] == nil)
    // The file of index 2 belongs to a page that is left out.
    for query in [
      "build=old&page=0", "build=\(build)&page=2", "build=\(build)&page=3", "build=\(build)&page=x",
      "",
    ] {
      #expect(try await get("/_causeway/shell?\(query)", of: server).0.status == .notFound)
    }

    let (manifest, json) = try await get("/manifest.webmanifest", of: server)
    #expect(manifest.headers["Content-Type"] == "application/manifest+json")
    #expect(
      json == """
        {"background_color":"#ffffff","display":"standalone","icons":[{"sizes":"any",\
        "src":"/icon.svg","type":"image/svg+xml"}],"id":"/","name":"Board","scope":"/",\
        "start_url":"/","theme_color":"#123456"}
        """)
  }

  @Test(
    arguments: [
      ([0, 0, 0, 192], "192x192"), ([0, 0, 2, 0], "512x512"), ([0xFF, 0xFF, 0xFF, 0xFF], nil),
      ([], nil),
    ] as [([UInt8], String?)])
  func `name the size of a PNG icon`(side: [UInt8], sizes: String?) async throws {
    let options = OfflinePages(
      name: "Board", icons: ["/icon.png"], themeColor: "#123456", backgroundColor: "#ffffff",
      pages: ["/"])
    let server = try Self.server(offline: options)
    server.asset(
      "/icon.png",
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + side
        + side)
    let json = try await get("/manifest.webmanifest", of: server).1
    #expect(json.contains("\"sizes\":\"\(sizes ?? "any")\""), "\(json)")
  }

  @Test func `are the same for the same version only`() async throws {
    let server = try Self.server()
    let first = try await build(of: server)
    #expect(try await build(of: Self.server()) == first)
    #expect(
      try await build(of: Self.server(Board.page.replacing("<html>", with: "<html lang=\"en\">")))
        != first)
    server.asset("/late.css", Array("p {}".utf8))
    #expect(try await build(of: server) != first)
  }

  @Test(
    arguments: [
      ("Crew", ["/", "/boards/:id"], ["code"]), ("Board", ["/"], ["code"]),
      ("Board", ["/", "/boards/:id"], ["code", "phone"]),
    ] as [(String, Set<String>, Set<String>)])
  func `differ for other settings`(name: String, pages: Set<String>, hiding: Set<String>)
    async throws
  {
    let options = OfflinePages(
      name: name, icons: ["/icon.svg"], themeColor: "#123456", backgroundColor: "#ffffff",
      pages: pages, hiding: hiding)
    #expect(try await build(of: Self.server(offline: options)) != build(of: Self.server()))
  }

  @Test func `do not exist without the option, and the worker of earlier visits removes itself`()
    async throws
  {
    let server = try Self.server(offline: nil)
    let (worker, text) = try await get("/_causeway/service.js", of: server)
    #expect(worker.headers["Service-Worker-Allowed"] == "/")
    #expect(text.contains("registration.unregister()"))
    #expect(try await get("/manifest.webmanifest", of: server).0.status == .notFound)
    #expect(try await get("/_causeway/shell?build=x&page=0", of: server).0.status == .notFound)
    let script = try await get("/_causeway/causeway.js", of: server).1
    #expect(!script.contains("indexedDB"))
  }

  @Test(arguments: [
    ("/a/:b", "/a/c", true), ("/a/:b", "/:c/d", true), ("/a/b", "/a/c", false),
    ("/a", "/a/b", false), ("/**", "/a/b", true), ("/a/**", "/a", false), ("/a/**", "/:b/**", true),
    ("/", "/", true), ("/", "/a", false),
  ])
  func `come from patterns that match a common path`(one: String, other: String, isCommon: Bool) {
    #expect(PathPattern(one).overlaps(PathPattern(other)) == isCommon)
    #expect(PathPattern(other).overlaps(PathPattern(one)) == isCommon)
  }

  @Test func `are removed when a route changes the identity of a browser`() async throws {
    for (offline, field) in [(Self.options, "\"storage\""), (nil, nil)] {
      let server = try Self.server(offline: offline)
      var response = Response.empty()
      try server.renewBrowser(of: Request(.post, "/leave"), in: &response)
      #expect(response.headers["Clear-Site-Data"] == field)
    }
  }
}
