import CausewayBasics
import Foundation

/// The connection to a browser.
///
/// It sends commands, matches the answers, and keeps each tab's reports.
///
/// One actor receives all messages of the browser in order. When an answer is returned, all earlier
/// reports of the page are already stored.
actor BrowserConnection {
  /// Carries messages to a browser and back.
  struct Line: Sendable {
    /// The messages of the browser, until it ends.
    var messages: AsyncStream<Data>
    var send: @Sendable (Data) throws -> Void
    /// The error output of the browser.
    var errors: @Sendable () -> String
  }

  private struct Command {
    var name: String
    var tab: String?
    var answer: CheckedContinuation<JSON, any Error>
  }

  /// The lock that is held while the active window of the browser must not change.
  nonisolated let input = AsyncLock()
  /// The tab whose window is active; `nil` if it is not known.
  ///
  /// It is used while `input` is held.
  private(set) var activeTab: String?

  private let line: Line
  private let dialect: any BrowserDialect
  private var lastCommand = 0
  private var unanswered: [Int: Command] = [:]
  private var eventCounts: [EventKey: Int] = [:]
  private var eventWaiters: [EventKey: [EventWaiter]] = [:]
  private var lastWaiter = 0
  private var reported: [String: [ConsoleProblem]] = [:]
  private(set) var hasEnded = false

  init(_ line: Line, _ dialect: any BrowserDialect) {
    self.line = line
    self.dialect = dialect
  }

  func note(activeTab: String?) { self.activeTab = activeTab }

  /// Reads messages until the browser ends.
  func listen() async {
    for await message in line.messages { receive(message) }
    hasEnded = true
    let failure = BrowserError.ended(output: line.errors())
    for command in unanswered.values { command.answer.resume(throwing: failure) }
    for waiter in eventWaiters.values.joined() { waiter.arrival.resume(throwing: failure) }
    unanswered = [:]
    eventWaiters = [:]
  }

  /// Sends a command and returns its result.
  ///
  /// - Throws: `BrowserError.refused`, `.unanswered` after `limit`, or `.ended`.
  @discardableResult
  func command(
    _ name: String, _ parameters: JSON = [:], tab: String? = nil,
    limit: Duration = .seconds(60)
  ) async throws -> JSON {
    guard !hasEnded else { throw BrowserError.ended(output: line.errors()) }
    lastCommand += 1
    let id = lastCommand
    let message = try JSONEncoder().encode(
      dialect.message(id: id, name, parameters, tab: tab))
    let deadline = Task {
      try await Task.sleep(for: limit)
      answer(id, with: .failure(BrowserError.unanswered(command: name, after: limit)))
    }
    defer { deadline.cancel() }
    return try await withCheckedThrowingContinuation { continuation in
      unanswered[id] = Command(name: name, tab: tab, answer: continuation)
      do {
        try line.send(message)
      } catch {
        answer(id, with: .failure(BrowserError.ended(output: line.errors())))
      }
    }
  }

  /// The number of reports of this event by a tab.
  func count(of event: String, tab: String) -> Int {
    eventCounts[EventKey(tab: tab, event: event), default: 0]
  }

  /// Returns when a tab has reported an event more than `count` times.
  ///
  /// - Throws: `BrowserError.unanswered` after `limit`, or `.ended`.
  func wait(
    for event: String, beyond count: Int, tab: String, limit: Duration
  ) async throws {
    let key = EventKey(tab: tab, event: event)
    guard eventCounts[key, default: 0] <= count else { return }
    guard !hasEnded else { throw BrowserError.ended(output: line.errors()) }
    lastWaiter += 1
    let id = lastWaiter
    let deadline = Task {
      try await Task.sleep(for: limit)
      giveUp(on: key, waiter: id, after: limit)
    }
    defer { deadline.cancel() }
    try await withCheckedThrowingContinuation { continuation in
      eventWaiters[key, default: []].append(
        EventWaiter(id: id, count: count, arrival: continuation))
    }
  }

  /// The problems that a tab has reported so far.
  func problems(tab: String) -> [ConsoleProblem] { reported[tab, default: []] }

  private func receive(_ data: Data) {
    guard let message = try? JSONDecoder().decode(JSON.self, from: data) else { return }
    if let id = message["id"]?.number {
      if let reason = dialect.failure(message) {
        let command = unanswered[Int(id)]?.name ?? "a command"
        answer(Int(id), with: .failure(BrowserError.refused(command: command, message: reason)))
      } else {
        answer(Int(id), with: .success(message["result"] ?? [:]))
      }
    } else if let event = message["method"]?.text, let tab = dialect.tab(of: message) {
      record(event, message["params"] ?? [:], tab: tab)
    }
  }

  private func record(_ event: String, _ parameters: JSON, tab: String) {
    if let problem = dialect.problem(event: event, parameters) {
      reported[tab, default: []].append(problem)
    }
    if event == dialect.dialog {
      // The page waits for the answer. Nothing else can answer a headless browser's dialog.
      let accepting = dialect.accepting(dialogOf: tab)
      Task { try await command(accepting.command, accepting.parameters, tab: tab) }
    }
    if event == dialect.newPage { giveUpScripts(of: tab) }
    let key = EventKey(tab: tab, event: event)
    let count = eventCounts[key, default: 0] + 1
    eventCounts[key] = count
    guard let waiters = eventWaiters[key] else { return }
    eventWaiters[key] = waiters.filter { $0.count >= count }
    for waiter in waiters where waiter.count < count { waiter.arrival.resume() }
  }

  /// Ends the scripts of the previous page, because the browser never answers their promises.
  ///
  /// A script that was sent shortly before the event may run in the new page. The wait gives it
  /// some time to answer.
  private func giveUpScripts(of tab: String) {
    let ids = unanswered.filter { $0.value.tab == tab && $0.value.name == "script.evaluate" }.keys
    guard !ids.isEmpty else { return }
    Task {
      try await Task.sleep(for: .milliseconds(500))
      for id in ids {
        answer(
          id,
          with: .failure(BrowserError.refused(command: "script.evaluate", message: "navigated")))
      }
    }
  }

  private func answer(_ id: Int, with result: Result<JSON, any Error>) {
    unanswered.removeValue(forKey: id)?.answer.resume(with: result)
  }

  private func giveUp(on key: EventKey, waiter id: Int, after limit: Duration) {
    guard let index = eventWaiters[key]?.firstIndex(where: { $0.id == id }) else { return }
    eventWaiters[key]?.remove(at: index).arrival
      .resume(throwing: BrowserError.unanswered(command: key.event, after: limit))
  }
}

private struct EventKey: Hashable {
  var tab: String
  var event: String
}

private struct EventWaiter {
  var id: Int
  var count: Int
  var arrival: CheckedContinuation<Void, any Error>
}
