import CausewayBasics
import CausewayNetwork

extension Surroundings {
  /// Starts a task that ends the exchange after a timeout or at its deadline.
  ///
  /// - Parameters:
  ///   - exchange: Held weakly during the sleep, so the exchange ends when its consumer releases
  ///     it.
  ///   - timeout: The longest time without activity, unless the exchange has another limit.
  ///   - end: The deadline.
  func watch(_ exchange: Exchange, timeout: Duration, end: Duration?) -> Task<Void, Never> {
    Task { @concurrent [weak exchange] in
      while let last = exchange?.lastActivity {
        let timeout = exchange?.silenceLimit ?? timeout
        let standstill = last + timeout
        let time = now()
        if let end, time >= end {
          exchange?.cancel(
            NetworkError(.timedOut, message: "the call was not done before its deadline"))
          return
        }
        if time >= standstill {
          // Bytes of an incomplete header field do not count as activity.
          let event =
            exchange?.hasHead == true
            ? "nothing was sent or received"
            : "nothing was sent, and the header fields of the answer did not arrive,"
          exchange?.cancel(NetworkError(.timedOut, message: "\(event) for \(timeout)"))
          return
        }
        do {
          try await sleep(min(standstill, end ?? standstill) - time)
        } catch {
          return
        }
      }
    }
  }
}
