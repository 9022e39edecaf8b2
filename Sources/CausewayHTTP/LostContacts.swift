import CausewayData
import Synchronization

/// The outboxes and engines that could not reach the server, until it answers any request.
final class LostContacts: Sendable {
  private struct State {
    var lastAnswer: Duration?
    var contacts: [ServerContact] = []
    /// Waits for a new network path of the system, while there are contacts.
    var pathWatch: Task<Void, Never>?
  }

  /// A request that fails within this time after an answer does not count as a loss.
  ///
  /// Otherwise requests that always fail would be repeated after each answer to others.
  private static let lossTime = Duration.seconds(5)

  private let followsPath: Bool
  private let state = Mutex(State())

  /// - Parameter followsPath: Whether a new network path of the system counts as an answer.
  init(followsPath: Bool) {
    self.followsPath = followsPath
  }

  deinit {
    state.withLock(\.pathWatch)?.cancel()
  }

  /// The server has answered a request, whatever the answer is.
  func noteAnswer(at now: Duration) {
    state.withLock { $0.lastAnswer = now }
    tell()
  }

  /// A request has failed without a complete answer.
  func noteFailure(_ failure: NetworkError, of contact: ServerContact?, at now: Duration) {
    guard let contact, failure.remoteFailure.isLoss else { return }
    state.withLock { state in
      if let last = state.lastAnswer, now - last < Self.lossTime { return }
      if !state.contacts.contains(where: { $0 === contact }) { state.contacts.append(contact) }
      #if canImport(Network)
        if followsPath, state.pathWatch == nil {
          state.pathWatch = Task { [weak self] in
            await nextNetworkPath()
            if !Task.isCancelled { self?.tell() }
          }
        }
      #endif
    }
  }

  private func tell() {
    let (contacts, watch) = state.withLock { state in
      defer { (state.contacts, state.pathWatch) = ([], nil) }
      return (state.contacts, state.pathWatch)
    }
    watch?.cancel()
    for contact in contacts { contact.reach() }
  }
}
