public import CausewayHTTP
public import CausewayNetwork
import Foundation

/// Carries the requests of an HTTP network service between two nodes.
private struct SimulatedCarrier: RequestCarrier {
  let service: SimulatedNetworkService
  /// The service that sends a request has its own timeouts, which end earlier than this one.
  private static let longest = Duration.seconds(86_400)

  func start(
    _ request: NetworkRequest, receive: @escaping @Sendable (AnswerPart) -> Bool
  ) -> @Sendable () -> Void {
    var request = request
    request.timeout = Self.longest
    let task = Task { @concurrent [request] in
      do {
        switch try await service.reply(to: request, checks: false) {
        case .response(let response, let body):
          var head = response
          head.body = []
          guard receive(.head(head, length: response.body.count)) else { return }
          try await body.read { receive(.bytes(Array($0))) }
          _ = receive(.end(nil))
        case .connection(let connection):
          defer { connection.close() }
          try await pass(connection, to: receive)
        }
      } catch let error as NetworkError {
        _ = receive(.end(error))
      } catch {
        // The service has cancelled the request.
        _ = receive(.end(NetworkError(.other, message: "\(error)")))
      }
    }
    return { task.cancel() }
  }

  /// Passes the events of a stream, as the bytes that a server sends.
  private func pass(
    _ connection: SimulatedConnection, to receive: @Sendable (AnswerPart) -> Bool
  ) async throws {
    let head = NetworkResponse(status: 200, headers: ["content-type": "text/event-stream"])
    guard receive(.head(head, length: nil)) else { return }
    while true {
      switch await connection.next() {
      case .event(let event):
        let pieces = Trial.use {
          $0.network.pieces(of: event.bytes, from: connection.server, to: connection.client)
        }
        for (pause, piece) in pieces {
          if pause > .zero { try await SimulationClock().sleep(for: pause) }
          guard receive(.bytes(Array(piece))) else { return }
        }
      case .beat:
        // A comment keeps the connection open.
        guard receive(.bytes(Array(":\n\n".utf8))) else { return }
      case .end(let error):
        _ = receive(.end(error))
        return
      }
    }
  }
}

extension NetworkEvent {
  /// The lines of the event in a stream (WHATWG HTML, 9.2.6).
  fileprivate var bytes: [UInt8] {
    var text = id.isEmpty ? "" : "id: \(id)\n"
    if name != "message" { text += "event: \(name)\n" }
    for line in data.split(separator: "\n", omittingEmptySubsequences: false) {
      text += "data: \(line)\n"
    }
    return Array((text + "\n").utf8)
  }
}

extension NodeContext {
  /// Returns an HTTP network service whose requests go to another node.
  ///
  /// It is the service of an app, with its retries, timeouts, token refreshes and event streams.
  /// Only the connections are simulated, so the service uses neither libcurl nor a thread.
  /// Redirects are not followed, and files cannot be sent.
  ///
  /// - Parameters:
  ///   - server: The node that answers.
  ///   - configuration: The limits. The host of its address is ignored.
  ///   - session: Provides the token for `Authorization: Bearer`, and a new token after a 401.
  public func httpNetwork(
    to server: NodeID, _ configuration: HTTPNetworkService.Configuration? = nil,
    session: (any AuthSessionServiceProtocol)? = nil
  ) -> HTTPNetworkService {
    let standard = URL(string: "http://node\(server.index)") ?? URL(filePath: "/")
    return HTTPNetworkService(
      configuration ?? .init(address: standard), session: session, surroundings: surroundings,
      carrier: SimulatedCarrier(
        service: SimulatedNetworkService(coding: .standard, client: id, server: server)))
  }
}
