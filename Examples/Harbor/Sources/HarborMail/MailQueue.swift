public import CausewayData
import Synchronization

/// Mails that wait for the mail server, each sent again after temporary failures.
///
/// The mails are in memory: a restart loses those that were not sent yet. Use it for mails that a
/// person can ask for again.
public final class MailQueue: Sendable {
  private let limit: Int
  private let attempts: Int
  private let backoff: Backoff
  private let clock: any Clock<Duration>
  private let send: @Sendable (MailMessage) async throws(MailError) -> Void
  private let report: @Sendable (MailMessage, MailError) -> Void
  private let count = Mutex(0)
  private let sending = AsyncLock()
  private let (mails, continuation) = AsyncStream.makeStream(of: MailMessage.self)

  /// Makes an empty queue.
  ///
  /// - Parameters:
  ///   - limit: The largest number of waiting mails.
  ///   - attempts: The largest number of attempts for a mail.
  ///   - backoff: The waits between the attempts.
  ///   - clock: Measures the waits.
  ///   - report: Receives each mail that was given up. Called on any thread.
  ///   - send: Sends a mail, such as ``MailService/send(_:)``.
  public init(
    limit: Int = 500, attempts: Int = 10, backoff: Backoff = Backoff(),
    clock: any Clock<Duration> = ContinuousClock(),
    report: @escaping @Sendable (MailMessage, MailError) -> Void,
    send: @escaping @Sendable (MailMessage) async throws(MailError) -> Void
  ) {
    (self.limit, self.attempts, self.backoff, self.clock) = (limit, attempts, backoff, clock)
    (self.report, self.send) = (report, send)
  }

  /// Adds a mail.
  ///
  /// - Throws: ``MailError/queueIsFull``, or ``MailError/cancelled`` after the end of the queue.
  public func add(_ message: MailMessage) throws(MailError) {
    let isFull = count.withLock { count in
      if count >= limit { return true }
      count += 1
      return false
    }
    if isFull { throw .queueIsFull }
    if case .terminated = continuation.yield(message) {
      count.withLock { $0 -= 1 }
      throw .cancelled
    }
  }

  /// Sends the mails, one at a time, until the task is cancelled or ``stop(_:within:)`` is called.
  ///
  /// Call it once.
  public func run() async {
    await withDiscardingTaskGroup { group in
      for await message in mails {
        group.addTask { [self] in
          await deliver(message)
          count.withLock { $0 -= 1 }
        }
      }
    }
  }

  /// Takes no more mails, waits for those that are in the queue, and then ends the task.
  ///
  /// - Parameters:
  ///   - sending: The task that runs ``run()``.
  ///   - time: The longest wait. Mails that were not sent then are lost.
  public func stop(_ sending: Task<Void, Never>, within time: Duration = .seconds(5)) async {
    continuation.finish()
    let timer = Task { [clock] in
      try await clock.sleep(for: time)
      sending.cancel()
    }
    await sending.value
    timer.cancel()
  }

  private func deliver(_ message: MailMessage) async {
    for attempt in 1...max(1, attempts) {
      do {
        // One mail at a time, because a mail server limits the connections of a client.
        try await sending.withLock { [send] in try await send(message) }
        return
      } catch let error as MailError where error.isTemporary && attempt < attempts {
        let pause = backoff.delay(afterAttempts: attempt, random: .random(in: 0...1))
        do { try await clock.sleep(for: pause) } catch { return }
      } catch {
        if !Task.isCancelled { report(message, error as? MailError ?? .cancelled) }
        return
      }
    }
  }
}
