import Foundation

/// The pipe to a browser. It sends commands, matches the answers, and keeps each tab's reports.
///
/// One actor receives all messages of the browser in order. When an answer is returned, all earlier
/// reports of the page are already stored.
actor DevToolsConnection {
  private let process: ChildProcess
  private var lastCommand = 0
  private var unanswered: [Int: (command: String, answer: CheckedContinuation<JSON, any Error>)] =
    [:]
  private var eventCounts: [EventKey: Int] = [:]
  private var eventWaiters: [EventKey: [EventWaiter]] = [:]
  private var lastWaiter = 0
  private var reported: [String: [ConsoleProblem]] = [:]
  private var hasEnded = false

  init(process: ChildProcess) {
    self.process = process
  }

  /// Reads the pipe until the browser closes it.
  func listen() async {
    var rest = Data()
    for await piece in process.output {
      var parts = piece.split(separator: 0, omittingEmptySubsequences: false)
      rest.append(parts.removeFirst())
      for part in parts {
        receive(rest)
        rest = Data(part)
      }
    }
    hasEnded = true
    let failure = BrowserError.ended(output: process.errors)
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
    _ name: String, _ parameters: JSON = [:], tab session: String? = nil,
    limit: Duration = .seconds(60)
  ) async throws -> JSON {
    guard !hasEnded else { throw BrowserError.ended(output: process.errors) }
    lastCommand += 1
    let id = lastCommand
    var members: [String: JSON] = [
      "id": .number(Double(id)), "method": .string(name), "params": parameters,
    ]
    if let session { members["sessionId"] = .string(session) }
    var message = try JSONEncoder().encode(JSON.object(members))
    message.append(0)
    let deadline = Task {
      try await Task.sleep(for: limit)
      answer(id, with: .failure(BrowserError.unanswered(command: name, after: limit)))
    }
    defer { deadline.cancel() }
    return try await withCheckedThrowingContinuation { continuation in
      unanswered[id] = (name, continuation)
      do {
        try process.input.write(contentsOf: message)
      } catch {
        answer(id, with: .failure(BrowserError.ended(output: process.errors)))
      }
    }
  }

  /// The number of reports of this event by a tab.
  func count(of event: String, tab session: String) -> Int {
    eventCounts[EventKey(session: session, event: event), default: 0]
  }

  /// Returns when a tab has reported an event more than `count` times.
  ///
  /// - Throws: `BrowserError.unanswered` after `limit`, or `.ended`.
  func wait(
    for event: String, beyond count: Int, tab session: String, limit: Duration
  ) async throws {
    let key = EventKey(session: session, event: event)
    guard eventCounts[key, default: 0] <= count else { return }
    guard !hasEnded else { throw BrowserError.ended(output: process.errors) }
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
  func problems(tab session: String) -> [ConsoleProblem] { reported[session, default: []] }

  private func receive(_ data: Data) {
    guard let message = try? JSONDecoder().decode(JSON.self, from: data) else { return }
    if let id = message["id"]?.number {
      if let failure = message["error"] {
        let command = unanswered[Int(id)]?.command ?? "a command"
        let text = failure["message"]?.text ?? "no reason given"
        answer(Int(id), with: .failure(BrowserError.refused(command: command, message: text)))
      } else {
        answer(Int(id), with: .success(message["result"] ?? [:]))
      }
    } else if let event = message["method"]?.text, let session = message["sessionId"]?.text {
      record(event, message["params"] ?? [:], session: session)
    }
  }

  private func record(_ event: String, _ parameters: JSON, session: String) {
    if let problem = ConsoleProblem(event: event, parameters: parameters) {
      reported[session, default: []].append(problem)
    }
    if event == "Page.javascriptDialogOpening" {
      // The page waits for the answer. Nothing else can answer a headless browser's dialog.
      Task {
        try await command("Page.handleJavaScriptDialog", ["accept": true], tab: session)
      }
    }
    let key = EventKey(session: session, event: event)
    let count = eventCounts[key, default: 0] + 1
    eventCounts[key] = count
    guard let waiters = eventWaiters[key] else { return }
    eventWaiters[key] = waiters.filter { $0.count >= count }
    for waiter in waiters where waiter.count < count { waiter.arrival.resume() }
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
  var session: String
  var event: String
}

private struct EventWaiter {
  var id: Int
  var count: Int
  var arrival: CheckedContinuation<Void, any Error>
}
