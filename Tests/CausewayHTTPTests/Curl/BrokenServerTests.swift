#if os(Linux)
  import CausewayData
  import Foundation
  import TestSupport
  import Testing

  @testable import CausewayHTTP

  /// Faults that crash URL loading on Linux, and faults that URL loading there cannot detect.
  @Suite(.timeLimit(.minutes(10)))
  struct BrokenServerTests {
    @Test(arguments: [
      "H", "HTTP/1.1", "HTTP/1.1 2", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r", "HTTP/1.1 200 OK\r\n",
      "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 1",
      "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r",
      "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA",
    ])
    func `a connection closed before the body is a lost connection, and the next call works`(
      _ part: String
    ) async throws {
      let server = try RawServer { request, connection in
        connection.send(request.target == "/broken" ? part : RawServer.answer(200, [:], "whole"))
      }
      let network = try makeService(server) { $0.retry = .never }
      let error = await failure { try await network.response(for: .init(.get, "/broken")) }
      #expect(error?.kind == .connectionLost, "\(String(describing: error))")
      #expect(try await network.response(for: .init(.get, "/")).body == Array("whole".utf8))
    }

    @Test(arguments: ["banana", "chunked, banana", "gzip, banana"])
    func `an unknown transfer coding is a malformed response`(_ coding: String) async throws {
      let server = try RawServer { _, connection in
        connection.send(
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n2\r\nhi\r\n0\r\n\r\n")
      }
      let network = try makeService(server) { $0.retry = .never }
      let error = await failure { try await network.response(for: .init(.get, "/")) }
      #expect(error?.kind == .malformed, "\(String(describing: error))")
      #expect(error?.message.contains("Transfer-Encoding") == true)
    }

    /// Sends a request through a proxy, in a process of its own because of the variable.
    private static func expectProxyError(_ proxy: String, _ address: String) async throws {
      for name in ["http_proxy", "https_proxy"] { setenv(name, proxy, 1) }
      let network = try makeService(at: address, transport: .standard) { $0.retry = .never }
      let error = await failure { try await network.response(for: .init(.get, "/")) }
      let isRight = error?.kind == .cannotConnect && error?.message.contains("proxy") == true
      print(error.map { "\($0)" } ?? "no error")
      exit(isRight ? 0 : 1)
    }

    @Test func `a proxy that cannot be reached is named`() async throws {
      for scheme in ["http", "https"] {
        let port = try ReservedPort()
        let (proxy, address) = ("http://127.0.0.1:\(port.number)", "\(scheme)://harbor.example")
        await #expect(processExitsWith: .exitCode(0)) {
          [proxy = proxy as String, address = address as String] in
          try await Self.expectProxyError(proxy, address)
        }
      }
    }

    @Test func `a proxy that refuses a tunnel is named`() async throws {
      let server = try RawServer { _, connection in
        connection.send("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
      }
      let proxy = server.address
      await #expect(processExitsWith: .exitCode(0)) { [proxy = proxy as String] in
        try await Self.expectProxyError(proxy, "https://harbor.example")
      }
    }

    @Test(arguments: ["", "not TLS at all\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n"])
    func `a response that is not TLS throws an error that says so`(_ greeting: String) async throws
    {
      let server = try RawServer.serving { _, connection in
        connection.send(greeting)
        connection.end()
      }
      var configuration = HTTPNetworkService.Configuration(
        address: try #require(URL(string: "https://127.0.0.1:\(server.port)")))
      configuration.retry = .never
      let network = HTTPNetworkService(configuration)
      let error = await failure { try await network.response(for: .init(.get, "/")) }
      #expect(error?.kind == .insecure, "\(String(describing: error))")
      #expect(error?.message.contains("TLS") == true)
    }

    @Test func `an endless number of header fields is rejected`() async throws {
      let server = try RawServer { _, connection in
        connection.send("HTTP/1.1 200 OK\r\n")
        while connection.send("X-Field: \(String(repeating: "a", count: 1_000))\r\n") {}
      }
      let network = try makeService(server)
      let error = await failure { try await network.response(for: .init(.get, "/")) }
      #expect(error?.kind == .tooLarge, "\(String(describing: error))")
      #expect(error?.message.contains("header fields") == true)
      #expect(server.requests.all.count == 1)
    }

    @Test func `an endless header field is rejected`() async throws {
      let server = try RawServer { _, connection in
        connection.send("HTTP/1.1 200 OK\r\nX-Field: ")
        while connection.send(String(repeating: "a", count: 1_000)) {}
      }
      let network = try makeService(server)
      let error = await failure { try await network.response(for: .init(.get, "/")) }
      #expect(error?.kind == .tooLarge, "\(String(describing: error))")
      #expect(error?.message.contains("header field") == true)
    }

    @Test func `the size limit counts decompressed bytes`() async throws {
      let packed = deflatedZeros(64 << 20)
      #expect(packed.count < 450_000)
      let server = try RawServer { request, connection in
        connection.send(
          "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: \(packed.count)\r\n\r\n")
        connection.send(packed)
      }
      let network = try makeService(server) { $0.bodyLimit = 4 << 20 }
      let received = Log<NetworkProgress>()
      let error = await failure {
        try await network.response(for: .init(.get, "/"), progress: { received.append($0) })
      }
      #expect(error?.kind == .tooLarge, "\(String(describing: error))")
      #expect(received.all.count > 1)
      for case .received(let count, let total) in received.all {
        #expect(count <= 4 << 20)
        #expect(total == nil)
      }
    }

    @Test func `a compressed body is decompressed`() async throws {
      let server = try RawServer { request, connection in
        let packed = deflatedZeros(100_000)
        connection.send(
          "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: \(packed.count)\r\n\r\n")
        connection.send(packed)
      }
      let network = try makeService(server)
      let response = try await network.response(for: .init(.get, "/"))
      #expect(response.body == [UInt8](repeating: 0, count: 100_000))
      #expect(server.requests.all.first?.headers["accept-encoding"]?.contains("gzip") == true)
    }

    @Test(arguments: ["gzip", "deflate", "br", "gzip, gzip"])
    func `a body that does not match its content encoding is malformed`(_ encoding: String)
      async throws
    {
      let server = try RawServer { _, connection in
        connection.send(RawServer.answer(200, ["Content-Encoding": encoding], "not packed"))
      }
      let network = try makeService(server)
      let error = await failure { try await network.response(for: .init(.get, "/")) }
      #expect(error?.kind == .malformed, "\(String(describing: error))")
      #expect(server.requests.all.count == 1)
    }

    @Test func `a truncated compressed body is a lost connection, even with a matching length`()
      async throws
    {
      let packed = deflatedZeros(100_000)
      for count in [1, 2, packed.count / 2, packed.count - 1] {
        let server = try RawServer { _, connection in
          connection.send(
            "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: \(count)\r\n\r\n")
          connection.send(Array(packed[..<count]))
        }
        let network = try makeService(server) { $0.retry = .never }
        let error = await failure { try await network.response(for: .init(.get, "/")) }
        #expect(error?.kind == .connectionLost, "\(count): \(String(describing: error))")
      }
    }

    @Test func `an empty body is complete in every encoding`() async throws {
      let server = try RawServer { _, connection in
        connection.send(RawServer.answer(200, ["Content-Encoding": "gzip"]))
      }
      #expect(try await makeService(server).response(for: .init(.get, "/")).body.isEmpty)
    }

    @Test(arguments: [HTTPMethod.head, .get])
    func `the encoding of a response without a body does not matter`(
      _ method: HTTPMethod
    ) async throws {
      let server = try RawServer { _, connection in
        connection.send(
          "HTTP/1.1 \(method == .head ? 200 : 204) OK\r\nContent-Encoding: br\r\n\r\n")
      }
      let network = try makeService(server)
      #expect(try await network.response(for: .init(method, "/")).body.isEmpty)
    }

    @Test func `two content lengths are malformed`() async throws {
      let server = try RawServer { _, connection in
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 30\r\n\r\none")
      }
      let network = try makeService(server)
      let error = await failure { try await network.response(for: .init(.get, "/")) }
      #expect(error?.kind == .malformed, "\(String(describing: error))")
    }

    @Test func `bytes after a response are not read as the next response`() async throws {
      let server = try RawServer.serving { number, connection in
        var count = 0
        while connection.readRequest(number: number) != nil {
          count += 1
          let extra = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
          connection.send(
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood" + (number == 0 ? extra : ""))
        }
      }
      let network = try makeService(server)
      for _ in 0..<3 {
        let response = try await network.response(for: .init(.get, "/"))
        #expect(response.body == Array("good".utf8))
      }
    }

    @Test func `a redirect with an endless body is followed`() async throws {
      let server = try RawServer { request, connection in
        if request.target == "/new" {
          connection.send(RawServer.answer(200, [:], "here"))
        } else {
          connection.send("HTTP/1.1 302 Found\r\nLocation: /new\r\n\r\n")
          while connection.send([UInt8](repeating: 65, count: 10_000)) {}
        }
      }
      let network = try makeService(server)
      let response = try await network.response(for: .init(.get, "/"))
      #expect(response.body == Array("here".utf8))
    }

    @Test(
      arguments: [
        (6, 0, .cannotConnect), (7, Int(ECONNREFUSED), .cannotConnect),
        (7, Int(ENETUNREACH), .notConnected), (28, 0, .timedOut), (35, 0, .insecure),
        (60, 0, .insecure), (56, 0, .connectionLost), (92, 0, .connectionLost),
        (3, 0, .invalidRequest),
        (27, 0, .tooLarge), (100, 0, .tooLarge), (41, 0, .other),
      ] as [(UInt32, Int, NetworkError.Kind)])
    func `each libcurl error maps to an error kind`(
      _ code: UInt32, _ systemError: Int, _ kind: NetworkError.Kind
    ) {
      let error = NetworkError(
        libcurl: code, detail: "", systemError: systemError, hasHead: false)
      #expect(error.kind == kind)
      #expect(error.message.contains("(libcurl's error \(code))"))
      #expect(!error.message.hasPrefix(" "))
    }
  }
#endif
