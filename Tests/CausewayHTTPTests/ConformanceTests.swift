import CausewayData
import CausewayDataTesting
import CausewayHTTP
import CausewayTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// A service that keeps its server running as long as it exists.
private final class ServedService: NetworkService {
  private let server: RawServer
  private let service: HTTPNetworkService

  init(_ transport: TransportKind) throws {
    server = try RawServer { request, connection in
      let answer = NetworkConformance.answer(
        to: request.method, request.target,
        headers: NetworkHeaders(request.headers.map { ($0.key, $0.value) }), body: request.body)
      guard let answer else {
        connection.waitForClose()
        return
      }
      var headers = ["Content-Length": "\(answer.body.count)", "Connection": "close"]
      for (name, value) in answer.headers.sorted { headers[name] = value }
      if answer.status == 204 { headers["Content-Length"] = nil }
      connection.send(
        "HTTP/1.1 \(answer.status) Text\r\n"
          + headers.map { "\($0.key): \($0.value)\r\n" }.joined() + "\r\n")
      connection.send(answer.body)
    }
    service = try makeService(server, transport: transport) {
      $0.events.reconnecting = NetworkRetryPolicy(attempts: 5, firstDelay: .milliseconds(1))
    }
  }

  func response(
    for request: NetworkRequest, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse {
    try await service.response(for: request, progress: progress)
  }

  func download(
    _ request: NetworkRequest, to path: String, progress: NetworkProgress.Observer?
  ) async throws -> NetworkResponse {
    try await service.download(request, to: path, progress: progress)
  }

  func events(
    for request: NetworkRequest, reconnects: Bool, connection: @escaping NetworkConnection.Observer
  ) -> NetworkEventStream {
    service.events(for: request, reconnects: reconnects, connection: connection)
  }
}

@Suite(.timeLimit(.minutes(10)))
struct ConformanceTests {
  @Test(
    arguments: TransportKind.allCases.flatMap { transport in
      NetworkConformance.suite.cases(of: "over HTTP by \(transport)") {
        try ServedService(transport)
      }
    }
      + NetworkConformance.suite.cases(of: "scripted") {
        let service = ScriptedNetworkService()
        NetworkConformance.script(service)
        return service
      })
  func `a network service keeps its promises`(
    _ promise: ConformanceSuite<any NetworkService>.Case
  ) async throws {
    try await promise.verify()
  }

  @Test func `a service that breaks a promise is detected`() async throws {
    let cases = NetworkConformance.suite.cases(of: "answers everything with nothing") {
      let service = ScriptedNetworkService()
      for path in ["/text", "/ship", "/large", "/missing", "/events"] as [NetworkPath] {
        service.on(.get, path, .status(200))
      }
      return service
    }
    var broken = 0
    for promise in cases {
      do { try await promise.verify() } catch { broken += 1 }
    }
    // Even this service keeps four promises: those on invalid paths, on bodies of another type, on
    // cancelled calls, and on responses that are not event streams.
    #expect(broken >= cases.count - 4)
  }
}
