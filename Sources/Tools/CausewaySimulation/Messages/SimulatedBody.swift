import CausewayExploration
import CausewayNetwork

/// The body of a response on its way to the client, in one or several pieces.
struct SimulatedBody: Sendable {
  private let bytes: [UInt8]
  private let exchange: SimulatedExchange
  /// The life of the server that sends the body.
  private let sender: Scheduler.Life
  /// How long the client waits before it notices that the server is silent.
  private static let silence = Duration.seconds(1) ... .seconds(30)

  init(_ bytes: [UInt8], of exchange: SimulatedExchange, sentBy sender: Scheduler.Life) {
    self.bytes = bytes
    self.exchange = exchange
    self.sender = sender
  }

  /// Passes the pieces to a closure as they arrive.
  ///
  /// - Parameter receive: Returns false if it needs no more pieces.
  /// - Throws: `NetworkError` if the connection breaks; `CancellationError`.
  func read(_ receive: (ArraySlice<UInt8>) -> Bool) async throws {
    guard !bytes.isEmpty else { return }
    let pieces = Trial.use {
      $0.network.pieces(of: bytes, from: exchange.server, to: exchange.client)
    }
    for (pause, piece) in pieces {
      if pause > .zero {
        try await SimulationClock().sleep(for: pause)
        try await checkConnection()
      }
      guard receive(piece) else { return }
    }
  }

  private func checkConnection() async throws {
    /// The time until the client notices that the connection is lost; `nil` if the body continues.
    let silence: Duration? = Trial.use { trial in
      let isCrashed = !trial.scheduler.isAlive(sender)
      guard isCrashed || trial.network.isBlocked(from: exchange.server, to: exchange.client) else {
        return nil
      }
      trial.log("the body of request \(exchange.number) breaks off", exchange.client)
      if isCrashed { return .zero }
      return trial.network.silence(
        of: exchange.server, noticedBy: exchange.client, in: Self.silence)
    }
    guard let silence else { return }
    if silence > .zero { try await SimulationClock().sleep(for: silence) }
    throw exchange.error(.connectionLost, "the connection was lost within the body")
  }
}
