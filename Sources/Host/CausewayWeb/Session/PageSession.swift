import CausewayBasics
import Synchronization

/// The session of one browser tab: its model, its stream, and their limits.
final class PageSession: Sendable {
  private struct State {
    var lastAction: ContinuousClock.Instant
    /// Nil while a stream is open.
    var detachedSince: ContinuousClock.Instant?
    var publication: Publication
    /// Whether the page has opened its stream or sent an action.
    var isUsed = false
    /// The answers that wait for effects.
    var waiting: [ActionNumber: Waiter<AnswerDeadlines.End>] = [:]
    var isEnded = false
    /// Streams that end with the session.
    var ends: [AsyncStream<Never>.Continuation] = []
    /// Whether the effects of applied actions are cancelled, because the session is released.
    var isInterrupted = false
  }

  /// The owner of the last published state.
  ///
  /// The session does not also retain the state, because the state of an idle page takes about ten
  /// kilobytes.
  private enum Publication {
    case stream(ViewStateStream)
    /// There is no stream.
    case state(PublishedState)

    var stream: ViewStateStream? { if case .stream(let stream) = self { stream } else { nil } }
  }

  /// The answer to an action.
  ///
  /// A repeated request gets the same answer.
  private enum Answer: Sendable {
    case ready(Response)
    case waiting(Task<Response, Never>)

    var response: Response {
      get async {
        switch self {
        case .ready(let response): response
        case .waiting(let task): await task.value
        }
      }
    }
  }

  let token: String
  /// The cookie of the browser.
  let browser: String
  /// The part of the session that `makeModel` receives.
  let opening: WebSession
  let address: String
  let created: ContinuousClock.Instant
  let model: HostedModel
  private let reportError: @Sendable (any Error) -> Void
  private let deadlines: AnswerDeadlines
  private let slowAnswers: SlowAnswers
  private let now: @Sendable () -> ContinuousClock.Instant
  /// The numbered actions, by lane.
  @MainActor private var ledgers: [String: ActionLedger<Answer>] = [:]
  /// The applied actions whose effects have not ended in time.
  @MainActor private var slow: [ActionNumber: HostedModel.Completion] = [:]
  private let state: Mutex<State>

  init(
    _ opening: WebSession, model: HostedModel, initial: JSONValue, browser: String, address: String,
    configuration: WebServerConfiguration, deadlines: AnswerDeadlines, slowAnswers: SlowAnswers
  ) {
    token = opening.token
    self.opening = opening
    self.browser = browser
    self.address = address
    self.model = model
    (self.deadlines, self.slowAnswers) = (deadlines, slowAnswers)
    reportError = configuration.reportError
    now = configuration.now
    let now = configuration.now()
    created = now
    state = Mutex(
      State(
        lastAction: now, detachedSince: now,
        publication: .state(PublishedState(value: initial, version: 1))))
  }

  /// Whether the session is alive and the cookie belongs to its browser.
  func belongs(to cookie: String?) -> Bool { browser == cookie && !isEnded }

  /// Records that the page has sent an action.
  func noteAction() {
    let now = now()
    state.withLock { state in
      state.lastAction = now
      state.isUsed = true
    }
  }

  /// Applies an action once, and returns the first answer again for a repeated one.
  ///
  /// - Parameter watched: A path. The answer contains its value right after the action, or true for
  ///   a list, an object or a text that is not empty.
  @MainActor func apply(
    _ number: ActionNumber, _ action: Result<HostedModel.Delivery, Problem>, allowsGap: Bool,
    watched: String?
  ) async -> Response {
    guard !state.withLock({ $0.isEnded }) else { return Sessions.unknown.response }
    let lane = number.lane
    guard ledgers[lane] != nil || ledgers.count < Self.laneLimit else {
      return Problem.badRequest("A page has at most \(Self.laneLimit) lanes.").response
    }
    let ledger = ledgers[lane, default: ActionLedger()]
    switch ledger.admit(number.value, allowsGap: allowsGap) {
    case .repeated(let answer): return await answer.response
    case .forgotten:
      return Problem(
        .conflict, code: "number-used",
        detail: "Action \(number.value) was answered before, or will never be applied."
      ).response
    case .gap:
      var problem = Problem(
        .conflict, code: "out-of-order",
        detail:
          "Action \(number.value) does not follow action \(ledger.last); send \(ledger.last + 1).")
      problem.members["expected"] = .integer(Int64(ledger.last + 1))
      return problem.response
    case .next:
      let answer = perform(number, action, watched: watched)
      ledgers[lane, default: ActionLedger()].record(answer, for: number.value)
      return await answer.response
    }
  }

  /// Each lane needs memory for its last answers.
  private static let laneLimit = 16

  @MainActor private func perform(
    _ number: ActionNumber, _ action: Result<HostedModel.Delivery, Problem>, watched: String?
  ) -> Answer {
    let completion: HostedModel.Completion?
    switch action {
    case .failure(let problem): return .ready(problem.response)
    case .success(let deliver): completion = deliver()
    }
    let read = watched.map { value(at: $0) }
    if completion == nil, read == nil { return .ready(Self.accepted(number)) }
    let wait = completion.map { begin($0, of: number) }
    // The client may disconnect. The answer is then stored for the repeated request.
    return .waiting(
      Task {
        let response =
          if let read { await accepted(number, read) } else { Self.accepted(number) }
        guard let completion, let wait else {
          record(response, of: number)
          return response
        }
        switch await end(of: wait, number) {
        case .ended:
          record(response, of: number)
          return response
        case .late:
          // The client repeats its request until it gets the final answer.
          reportSlow(completion, of: number)
          completion.whenEnded { [weak self] in self?.record(response, of: number) }
          var accepted = response
          accepted.status = HTTPStatus(202)
          return accepted
        case .interrupted: return Self.interrupted.response
        }
      })
  }

  /// Returns a closure that encodes the state as it is now, and returns the value at a path.
  @MainActor private func value(at text: String) -> @Sendable () throws -> JSONValue? {
    // The server reports such a path of its page file when it starts.
    guard let path = try? BindingPath(text) else { return { nil } }
    let shared = Dictionary(
      path.alternatives.compactMap { path in
        model.shared?.broadcast.value(at: path.steps).map { (path.steps, $0) }
      }, uniquingKeysWith: { first, _ in first })
    let snapshot = model.snapshot()
    return {
      var own: JSONValue?
      return try path.value { steps in
        if let value = shared[steps] { return value }
        let state = try own ?? snapshot()
        own = state
        return state.value(at: steps)
      }
    }
  }

  /// The answer to an applied action.
  private static func accepted(_ number: ActionNumber, watched: JSONValue? = nil) -> Response {
    var answer: [String: JSONValue] = ["sequence": .integer(Int64(clamping: number.value))]
    answer["watched"] = watched
    return Response(.ok, type: "application/json", bytes: JSONValue.object(answer).serialized())
  }

  /// The answer with a watched value, which is encoded off the main actor.
  @concurrent private func accepted(
    _ number: ActionNumber, _ read: @Sendable () throws -> JSONValue?
  ) async -> Response {
    do {
      return Self.accepted(number, watched: try read()?.brief ?? .null)
    } catch {
      reportError(error)
      return Self.accepted(number)
    }
  }

  @MainActor private func reportSlow(
    _ completion: HostedModel.Completion, of number: ActionNumber
  ) {
    slow[number] = completion
    let effects = completion.effects()
    if let report = slowAnswers.report(completion, of: effects, time: deadlines.time) {
      reportError(report)
    }
  }

  /// The effects of an action that was answered with 202, because they had not ended in time.
  @MainActor func runningEffects(of number: ActionNumber) -> [RunningEffect] {
    slow[number]?.effects() ?? []
  }

  /// Stores the final answer of an action whose effects have ended.
  @MainActor private func record(_ response: Response, of number: ActionNumber) {
    slow[number] = nil
    ledgers[number.lane]?.replace(.ready(response), for: number.value)
  }

  /// The answer to an applied action if its session ended before its effects.
  private static let interrupted = Problem(
    .gone, code: "effects-cancelled",
    detail: "The session ended while the effects of this action were running.")

  /// Begins to wait for the effects of an action.
  @MainActor private func begin(
    _ completion: HostedModel.Completion, of number: ActionNumber
  ) -> Waiter<AnswerDeadlines.End> {
    let wait = Waiter<AnswerDeadlines.End>()
    let isInterrupted = state.withLock { state in
      state.waiting[number] = wait
      return state.isInterrupted
    }
    if isInterrupted { wait.resume(returning: .interrupted) }
    completion.whenEnded { wait.resume(returning: .ended) }
    deadlines.add(wait)
    return wait
  }

  /// Returns how a wait has ended.
  ///
  /// It was interrupted if the session has ended, which cancels the effects.
  private func end(
    of wait: Waiter<AnswerDeadlines.End>, _ number: ActionNumber
  ) async -> AnswerDeadlines.End {
    let end = await wait.value { $0.resume(returning: .interrupted) }
    return state.withLock { state in
      state.waiting[number] = nil
      // Cancelled effects count as ended. Unfinished effects are cancelled when an ended session is
      // released.
      let isOver = state.isInterrupted || (state.isEnded && end != .ended)
      return isOver ? .interrupted : end
    }
  }

  /// Opens a stream that replaces the previous one.
  ///
  /// A tab that connects again has lost its old stream.
  func attach(after position: EventPosition) -> ViewStateStream {
    let stream = ViewStateStream(
      newest: newest, sharing: model.shared?.broadcast, after: position,
      observe: { [model, reportError] stream in
        do {
          try await model.observe { stream.publish($0) }
        } catch is CancellationError {
        } catch {
          reportError(error)
          stream.end()
        }
      },
      onClose: { [weak self] stream in
        self?.detach(stream)
      })
    let (previous, isEnded) = state.withLock { state in
      let previous = state.publication.stream
      state.publication = .stream(stream)
      state.isUsed = true
      state.detachedSince = nil
      return (previous, state.isEnded)
    }
    previous?.end()
    if isEnded { stream.end() }
    return stream
  }

  var isEnded: Bool { state.withLock(\.isEnded) }

  /// A stream that ends with the session.
  var untilEnd: AsyncStream<Never> {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    let isEnded = state.withLock { state in
      if !state.isEnded { state.ends.append(continuation) }
      return state.isEnded
    }
    if isEnded { continuation.finish() }
    return stream
  }

  /// Whether the page has neither opened its stream nor sent an action.
  var isUnused: Bool { state.withLock { !$0.isUsed } }

  /// The time when the stream was closed; nil while a stream is open.
  var detachedSince: ContinuousClock.Instant? { state.withLock(\.detachedSince) }

  /// Whether the session has been unused for long enough to end it.
  func isOver(now: ContinuousClock.Instant, limits: WebServerLimits) -> Bool {
    state.withLock { state in
      // A client without a stream keeps its session by sending actions.
      if let since = state.detachedSince, max(since, state.lastAction) + limits.streamGrace <= now {
        return true
      }
      return state.lastAction + limits.idleTime <= now
    }
  }

  /// Ends the session.
  ///
  /// Its stream closes, and it applies no further actions.
  ///
  /// - Parameter isInterrupting: Whether answers that wait for effects are sent at once. Otherwise
  ///   the session lives until the effects have ended, at most for the time limit of an answer.
  func end(isInterrupting: Bool = true) {
    let (stream, waiting, ends) = state.withLock { state in
      state.isEnded = true
      if isInterrupting { state.isInterrupted = true }
      defer { state.ends = [] }
      return (
        state.publication.stream, isInterrupting ? Array(state.waiting.values) : [], state.ends
      )
    }
    for wait in waiting { wait.resume(returning: .interrupted) }
    for continuation in ends { continuation.finish() }
    stream?.end()
  }

  /// The last state that was published, with its number.
  var newest: PublishedState {
    switch state.withLock(\.publication) {
    case .stream(let stream): stream.newest
    case .state(let state): state
    }
  }

  private func detach(_ stream: ViewStateStream) {
    let newest = stream.newest
    let now = now()
    state.withLock { state in
      guard state.publication.stream === stream else { return }
      state.publication = .state(newest)
      state.detachedSince = now
    }
  }
}

extension JSONValue {
  /// The value in a reduced form, which shows only whether the value is empty.
  ///
  /// A session stores its last answers, and a list or a text can have any size.
  fileprivate var brief: JSONValue {
    switch self {
    case .null, .bool, .integer, .number: self
    case .string(let text): .bool(!text.isEmpty)
    case .array, .object: true
    }
  }
}
