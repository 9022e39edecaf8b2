#if os(Linux)
  import CausewayData
  import Foundation
  import TestSupport
  import Testing

  @testable import CausewayHTTP

  /// A TLS server with a self-signed certificate.
  private final class TLSServer {
    static let program = URL(filePath: "/usr/bin/openssl")
    let port: Int
    let certificate: String
    private let process: SpawnedProcess
    private let folder: URL

    init(name: String) throws {
      folder = FileManager.default.temporaryDirectory.appending(
        path: "causeway-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let key = folder.appending(path: "key.pem").path
      certificate = folder.appending(path: "certificate.pem").path
      let making = try SpawnedProcess(
        Self.program,
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
          "-days", "2", "-subj", "/CN=\(name)", "-addext", "subjectAltName=\(name)", "-keyout",
          key, "-out", certificate,
        ], errors: nil)
      making.waitForExit()
      let output = Pipe()
      process = try SpawnedProcess(
        Self.program,
        ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www"],
        output: output.fileHandleForWriting, errors: nil)
      try output.fileHandleForWriting.close()
      // "ACCEPT 127.0.0.1:40001"
      var text = ""
      while !text.contains(/ACCEPT .*\n/) {
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { break }
        text += String(decoding: data, as: UTF8.self)
      }
      let match = try #require(text.firstMatch(of: /ACCEPT .*:(\d+)/), "\(text)")
      port = try #require(Int(match.1))
    }

    deinit {
      process.send(signal: SIGKILL)
      try? FileManager.default.removeItem(at: folder)
    }
  }

  @Suite(.timeLimit(.minutes(10)), .enabled(if: access(TLSServer.program.path, X_OK) == 0))
  struct TLSTests {
    /// The result of a request that trusts one certificate, or the system's certificates.
    private func response(
      _ server: TLSServer, trusting certificate: String?
    ) async throws -> NetworkResponse {
      let clock = Surroundings()
      let transport = CurlTransport(
        connectionsPerHost: 1, authorities: certificate, surroundings: clock)
      let exchange = Exchange(
        sink: .memory(limit: 1 << 20), redirects: RedirectRule(limit: 1), now: clock.now)
      let request = WireRequest(
        method: .get, url: try #require(URL(string: "https://127.0.0.1:\(server.port)/")),
        headers: [:], body: .none, isRepeatable: true)
      transport.start(request, exchange: exchange, timeout: .seconds(30), end: nil)
      return try await exchange.wholeResponse()
    }

    @Test func `a server with a trusted certificate is accepted`() async throws {
      let server = try TLSServer(name: "IP:127.0.0.1")
      let response = try await response(server, trusting: server.certificate)
      #expect(response.status == 200)
      #expect(!response.body.isEmpty)
    }

    @Test func `a server without a trusted certificate is rejected`() async throws {
      let server = try TLSServer(name: "IP:127.0.0.1")
      let error = await failure { try await response(server, trusting: nil) }
      #expect(error?.kind == .insecure, "\(String(describing: error))")
      #expect(error?.message.contains("certificate") == true, "\(String(describing: error))")
    }

    @Test func `a certificate of another host is rejected`() async throws {
      let server = try TLSServer(name: "DNS:other.example")
      let error = await failure { try await response(server, trusting: server.certificate) }
      #expect(error?.kind == .insecure, "\(String(describing: error))")
    }
  }
#endif
