import CausewayNetwork
import Synchronization

/// The outboxes and engines that could not reach the server, until the server answers any request.
final class LostContacts: Sendable {
  private struct State {
    /// The contacts that wait for an answer.
    var contacts: [ServerContact] = []
    /// The contacts that were called within the last `pause`, with the times of the calls.
    var told: [(contact: ServerContact, at: Duration)] = []
    /// Waits for a new network path of the system, while there are contacts.
    var pathWatch: Task<Void, Never>?
  }

  /// The shortest time between two calls of a contact.
  ///
  /// Without this pause, a request that always fails would be repeated after each answer to another
  /// request.
  private static let pause = Duration.seconds(5)

  private let followsPath: Bool
  private let state = Mutex(State())

  /// - Parameter followsPath: Whether a new network path of the system counts as an answer.
  init(followsPath: Bool) {
    self.followsPath = followsPath
  }

  deinit {
    state.withLock(\.pathWatch)?.cancel()
  }

  /// The server has answered a request.
  ///
  /// - Parameter failure: The error of the answer; `nil` for a success. The answer may come from
  ///   another server, for example the sign-in page of a network.
  func noteAnswer(_ failure: NetworkError?, of contact: ServerContact?, at now: Duration) {
    if let failure, failure.remoteFailure.isLoss {
      noteFailure(failure, of: contact)
    } else {
      tell(at: now)
    }
  }

  /// A request has failed.
  func noteFailure(_ failure: NetworkError, of contact: ServerContact?) {
    guard let contact, failure.remoteFailure.isLoss else { return }
    state.withLock { state in
      if !state.contacts.contains(where: { $0 === contact }) { state.contacts.append(contact) }
      #if canImport(Network)
        if followsPath, state.pathWatch == nil {
          state.pathWatch = Task { [weak self] in
            await nextNetworkPath()
            if !Task.isCancelled { self?.tell(at: nil) }
          }
        }
      #endif
    }
  }

  /// - Parameter now: The time; `nil` to call all contacts, without the pause.
  private func tell(at now: Duration?) {
    let (contacts, watch) = state.withLock { state in
      if let now { state.told.removeAll { $0.at + Self.pause <= now } }
      let all = state.contacts
      state.contacts.removeAll { contact in
        now == nil || !state.told.contains { $0.contact === contact }
      }
      let waiting = state.contacts
      let contacts = all.filter { contact in !waiting.contains { $0 === contact } }
      if let now { state.told += contacts.map { ($0, now) } }
      guard waiting.isEmpty else { return (contacts, Task<Void, Never>?.none) }
      return (contacts, state.pathWatch.take())
    }
    watch?.cancel()
    for contact in contacts { contact.reach() }
  }
}
