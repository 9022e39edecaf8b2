import Causeway
import Synchronization
import TestSupport
import Testing

@testable import CausewayWeb

/// The identities of browsers: how the server makes and changes them.
@Suite(.timeLimit(.minutes(10)))
struct IdentityTests {
  private static func value(_ cookie: String) -> String {
    String(cookie.drop { $0 != "=" }.dropFirst())
  }

  @Test func `a cookie that the server has not made is replaced`() async throws {
    let server = try WebServer.board()
    let client = Client(try await server.start())
    let own = try await Tab(client).cookie
    let name = own.prefix { $0 != "=" }
    let (id, signature) = (Self.value(own).prefix(32), Self.value(own).dropFirst(33))
    let other = String(repeating: "a", count: 32)
    let planted = [
      other, "\(other).\(signature)", "\(id).", "\(id).\(signature.dropLast())x", "\(id)",
      "\(id).\(String(repeating: "/", count: signature.count))",
    ]
    for cookie in planted {
      let page = try await client.get("/", ["Cookie": "\(name)=\(cookie)"])
      let new = try #require(page.headers["set-cookie"]).prefix { $0 != ";" }
      #expect(!new.contains(id) && !new.contains(other), "\(cookie)")
    }
    let again = try await client.get("/", ["Cookie": own])
    #expect(again.headers["set-cookie"]?.hasPrefix("\(own);") == true)
    await server.stop()
  }

  @Test func `a key keeps the identity of a browser across restarts`() async throws {
    var seen: [String?] = []
    var cookie: String?
    for key in [Array(0..<32), Array(0..<32), nil] as [[UInt8]?] {
      let server = try WebServer.board { $0.cookieKey = key }
      server.get("/who") { request in .text(try request.browser ?? "nobody") }
      let client = Client(try await server.start())
      if cookie == nil { cookie = Self.value(try await Tab(client).cookie) }
      let name = "causeway-\(client.address.port)"
      seen.append(try await client.get("/who", ["Cookie": "\(name)=\(cookie ?? "")"]).text)
      await server.stop()
    }
    #expect(seen[0] != "nobody" && seen[0] == seen[1])
    #expect(seen[2] == "nobody")
  }

  @Test func `a route sees the same identity as the pages of its caller`() async throws {
    let server = try WebServer.board()
    let pages = Log<String>()
    server.page("/who", try PageTemplate(Board.page)) { session in
      pages.append(session.browser)
      return ViewModel(Board())
    }
    server.post("/who") { request in .text(try request.browser ?? "nobody") }
    let client = Client(try await server.start())
    let tab = try await Tab(client, path: "/who")
    let called = try await client.send("POST", "/who", ["Cookie": tab.cookie], body: "")
    #expect(pages.all == [called.text])
    #expect(try await client.send("POST", "/who", body: "").text == "nobody")
    await server.stop()
  }

  @Test func `signing in changes the identity, and the old cookie grants nothing`() async throws {
    let server = try WebServer.board()
    let accounts = Mutex<[String: String]>([:])
    server.post("/sign-in") { [unowned server] request in
      var response = Response.empty()
      // The app has not removed the data of the old identity.
      let old = try request.browser ?? ""
      let browser = try server.renewBrowser(of: request, in: &response)
      accounts.withLock {
        $0[browser] = "ana"
        $0[old] = "old"
      }
      return response
    }
    server.get("/account") { request in
      let browser = try request.browser ?? ""
      return .text(accounts.withLock { $0[browser] } ?? "nobody")
    }
    let client = Client(try await server.start())
    let (tab, other) = (try await Tab(client), try await Tab(client))
    let signedIn = try await client.send("POST", "/sign-in", ["Cookie": tab.cookie], body: "")
    let cookie = String(try #require(signedIn.headers["set-cookie"]).prefix { $0 != ";" })
    #expect(signedIn.headers["set-cookie"]?.hasSuffix("; HttpOnly; SameSite=Strict") == true)
    #expect(cookie != tab.cookie)
    #expect(try await client.get("/account", ["Cookie": cookie]).text == "ana")
    #expect(try await client.get("/account", ["Cookie": tab.cookie]).text == "nobody")
    // The pages of the browser start again with the new identity. Other browsers are not affected.
    #expect(try await tab.act(1, #"{"add":{"_0":1}}"#).code == "unknown-session")
    #expect(try await other.act(1, #"{"add":{"_0":1}}"#).status == 200)
    await server.stop()
  }

  @Test func `the owner of a page differs for another browser, account or scope`() async throws {
    let server = try WebServer.board()
    server.page("/own", try PageTemplate(Board.page)) { session in
      session.account = session.query("account")
      session.scope = session.query("scope")
      return ViewModel(Board())
    }
    let client = Client(try await server.start())
    let cookie = try await Tab(client, path: "/own").cookie
    var owners: [String] = []
    for query in ["", "account=ana", "scope=ana", "account=ana&scope=a", "account=ana&scope=b"] {
      for _ in 0..<2 {
        let headers = ["Cookie": cookie, "Accept": "application/json"]
        let answer = try await client.get("/own?\(query)", headers)
        if case .string(let owner) = answer.json?.value(at: "owner") { owners.append(owner) }
      }
    }
    #expect(owners.count == 10 && Set(owners).count == 5, "\(owners)")
    let page = try await client.get("/own?account=ana", ["Cookie": cookie])
    #expect(page.text.contains(#"<meta name="causeway-owner" content="\#(owners[2])">"#))
    let other = try await client.get("/own", ["Accept": "application/json"])
    #expect(other.json?.value(at: "owner") != .string(owners[0]))
    await server.stop()
  }

  @Test func `a short cookie key is an error at the start`() async throws {
    let server = try WebServer.board { $0.cookieKey = Array(0..<15) }
    await #expect(throws: WebServerError.shortCookieKey(bytes: 15)) { try await server.start() }
  }

  @Test func `a page that reloads before the new cookie arrives does not keep the old identity`()
    async throws
  {
    let time = TestTime()
    let server = try WebServer.board { $0.use(time) }
    let (renewed, answered) = (Gate(), Gate())
    server.post("/sign-in") { [unowned server] request in
      var response = Response.empty()
      try server.renewBrowser(of: request, in: &response)
      renewed.open()
      await answered.wait()
      return response
    }
    let client = Client(try await server.start())
    let tab = try await Tab(client)
    async let signIn = client.send("POST", "/sign-in", ["Cookie": tab.cookie], body: "")
    await renewed.wait()
    // The page's script retries, and a navigation reloads its page. Neither response has a cookie,
    // because it would replace the cookie of the sign-in.
    for (accept, status) in [("application/json", 503), ("text/html", 200)] {
      let early = try await client.get("/", ["Cookie": tab.cookie, "Accept": accept])
      #expect(early.status == status && early.headers["set-cookie"] == nil, "\(early)")
      #expect(!early.text.contains("causeway-session"))
    }
    answered.open()
    let cookie = String(try #require(await signIn.headers["set-cookie"]).prefix { $0 != ";" })
    #expect(try await Tab(client, cookie: cookie).token != tab.token)
    // A browser that has not received the answer gets a new cookie later.
    time.advance(by: .seconds(11), server)
    let late = try await client.get("/", ["Cookie": tab.cookie])
    #expect(late.headers["set-cookie"]?.hasPrefix("causeway-") == true)
    #expect(late.headers["set-cookie"]?.hasPrefix(tab.cookie) == false)
    await server.stop()
  }

  @Test func `a session that is ended while its page is made does not appear`() async throws {
    let server = try WebServer.board()
    server.page("/own", try PageTemplate(Board.page)) { [unowned server] session in
      session.account = "ana"
      // The account is closed while this page is still being made.
      if session.query("close") != nil { server.endSessions(ofAccount: "ana") }
      return ViewModel(Board())
    }
    let client = Client(try await server.start())
    let refused = try await client.get("/own?close", ["Accept": "application/json"])
    #expect(refused.status == 503 && refused.code == "browser-renewed")
    #expect(server.sessionCount == 0)
    _ = try await Tab(client, path: "/own")
    #expect(server.sessionCount == 1)
    await server.stop()
  }

  @Test func `all other sessions of an account or a browser can be ended`() async throws {
    let server = try WebServer.board()
    let opened = Log<WebSession>()
    server.page("/own", try PageTemplate(Board.page)) { session in
      session.account = session.query("account")
      opened.append(session)
      return ViewModel(Board())
    }
    let client = Client(try await server.start())
    let phone = try await Tab(client, path: "/own?account=ana")
    let laptop = try await Tab(client, path: "/own?account=ana")
    let second = try await Tab(client, cookie: laptop.cookie, path: "/own?account=ana")
    let ben = try await Tab(client, path: "/own?account=ben")
    let sessions = opened.all
    #expect(server.endSessions(ofBrowser: sessions[1].browser, except: sessions[1]) == 1)
    #expect(try await second.act(1, #"{"add":{"_0":1}}"#).code == "unknown-session")
    #expect(server.endSessions(ofAccount: "ana", except: sessions[1]) == 1)
    #expect(try await phone.act(1, #"{"add":{"_0":1}}"#).code == "unknown-session")
    #expect(try await laptop.act(1, #"{"add":{"_0":1}}"#).status == 200)
    #expect(try await ben.act(1, #"{"add":{"_0":1}}"#).status == 200)
    #expect(server.endSessions(ofAccount: "ana") == 1)
    #expect(server.sessionCount == 1)
    await server.stop()
  }
}
