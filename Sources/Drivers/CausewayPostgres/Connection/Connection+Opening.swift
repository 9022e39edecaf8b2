import CPostgres
import CausewayDatabase
import CausewaySystem

extension Connection {
  /// Connects to a server without blocking a thread of the concurrent executor.
  ///
  /// Call it on a thread of `BlockingThreads`, because resolving a host's name can block.
  ///
  /// - Throws: `PersistenceError` of kind `unavailable`, or of kind `cannotOpen` if the server
  ///   refuses the user or the database; `CancellationError`.
  static func open(
    _ url: String, until deadline: ContinuousClock.Instant, isolation: isolated (any Actor)?
  ) async throws -> Connection {
    // libpq uses the last value of a keyword. So the URL can replace the limits for lost networks,
    // which come before the URL, but not the encoding, which comes after the URL.
    let settings = [
      ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
      ("tcp_user_timeout", "60000"), ("dbname", url), ("client_encoding", "UTF8"),
      ("fallback_application_name", "causeway"),
    ]
    let handle = withCStrings(settings.map(\.0)) { keys in
      withCStrings(settings.map(\.1)) { values in
        PQconnectStartParams(keys, values, 1)
      }
    }
    guard let handle else { throw PersistenceError.unavailable("There is no memory to connect") }
    // The message of a refusal then contains the SQLSTATE, whatever the language of the server.
    _ = PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
    // Without this receiver, libpq prints the server's notices.
    _ = PQsetNoticeReceiver(handle, { _, _ in }, nil)
    var isOpen = false
    defer { if !isOpen { PQfinish(handle) } }
    var next = PGRES_POLLING_WRITING
    while next != PGRES_POLLING_OK {
      guard next != PGRES_POLLING_FAILED, PQstatus(handle) != CONNECTION_BAD else {
        throw refusal(handle)
      }
      let events = next == PGRES_POLLING_READING ? POLLIN : POLLOUT
      switch await Readiness.shared.wait(
        for: PQsocket(handle), Int16(events), until: deadline, isCancellable: true)
      {
      case .ready: next = PQconnectPoll(handle)
      case .cancelled: throw CancellationError()
      case .timedOut:
        throw PersistenceError.unavailable("The server did not accept a connection in time")
      }
      try Task.checkCancellation()
    }
    isOpen = true
    _ = PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
    return try Connection(handle)
  }

  /// Throws if libpq does not understand an address.
  static func validate(_ url: String) throws(PersistenceError) {
    guard let options = PQconninfoParse(url, nil), !url.utf8.contains(0) else {
      // libpq's message could quote the password.
      throw refusal("libpq does not understand the address")
    }
    PQconninfoFree(options)
  }

  private static func refusal(_ handle: OpaquePointer) -> PersistenceError {
    // The last line of each server's message names a place in the server's source code.
    let lines = String(cString: PQerrorMessage(handle)).split(separator: "\n")
      .filter { $0.firstMatch(of: /, [a-z_]+\.c:[0-9]+$/) == nil }
    let message = lines.joined(separator: "; ")
    // The words of a refusal depend on the server's language. The SQLSTATE follows the first word
    // and two spaces. A failure of libpq itself has no SQLSTATE; the TLS library uses English
    // words.
    let states = message.matches(of: /:[ ]{2}([0-9A-Z]{5}):[ ]/).map { String($0.1) }
    let refused = states.first { $0.hasPrefix("28") || ["3D000", "42501"].contains($0) }
    if let refused { return refusal(message, sqlState: refused) }
    if message.contains("certificate") { return refusal(message) }
    return .unavailable("The server cannot be reached: \(message)")
  }

  /// - Parameter sqlState: The state that the server has reported. The default is the
  ///   state for a connection that the client cannot establish.
  private static func refusal(_ message: String, sqlState: String = "08001") -> PersistenceError {
    PersistenceError(
      .cannotOpen, code: Int(sqlState.prefix(2), radix: 36) ?? 0,
      extendedCode: Int(sqlState, radix: 36) ?? 0,
      message: "The connection to the server is refused: \(message)")
  }

  /// Waits for the replies of a batch that ends a transaction, and suspends the task in the
  /// meantime.
  ///
  /// A cancellation asks the server to stop a statement of the batch, but it does not end the wait,
  /// because the server may have begun the commit. Then the commit is not cancelled. The answer has
  /// the usual time limit; if there is none, the limit is `patienceOfCancelled`.
  ///
  /// - Parameter count: The number of replies before the reply to the commit.
  func waitForCommit(
    after count: Int, isolation: isolated (any Actor)?
  ) async throws -> [Reply] {
    defer { canceller.end() }
    while let events = try advance() {
      let isStoppable = arrivedReplies.count < count
      if !isStoppable { canceller.end() } else if Task.isCancelled { canceller.request() }
      let isWatching = isStoppable && !canceller.isRequested
      let end = silenceEnd(isCancellable: isStoppable)
      let outcome = await Readiness.shared.wait(
        for: socket, events, until: end, isCancellable: isWatching)
      if outcome == .timedOut, end <= .now { try endSilence(isCancellable: isStoppable) }
    }
    return replies
  }

  /// Waits for the replies of the current batch, and suspends the task in the meantime.
  ///
  /// - Throws: `PersistenceError`; `CancellationError`, after which the connection is lost.
  func wait(
    until deadline: ContinuousClock.Instant? = nil, isCancellable: Bool,
    isolation: isolated (any Actor)?
  ) async throws -> [Reply] {
    while let events = try advance() {
      if isCancellable, Task.isCancelled {
        _ = cancelled()
        throw CancellationError()
      }
      let end = silenceEnd(isCancellable: isCancellable)
      let outcome = await Readiness.shared.wait(
        for: socket, events, until: min(deadline ?? end, end), isCancellable: isCancellable)
      guard outcome == .timedOut else { continue }
      if let deadline, deadline <= .now {
        throw fail(.unavailable("The server did not answer in time"))
      }
      if end <= .now { try endSilence(isCancellable: isCancellable) }
    }
    return replies
  }

  /// Waits for the replies for at most about two milliseconds, and blocks the thread in the
  /// meantime.
  ///
  /// Waking a suspended task takes longer than most replies.
  func waitBriefly() throws(PersistenceError) {
    try look()
    let deadline = ContinuousClock.now + .milliseconds(2)
    while let events = try advance() {
      // Parts of a reply may arrive one after the other, so each event shortens the wait.
      let rest = pollTimeout(until: deadline)
      var entry = pollfd(fd: socket, events: events, revents: 0)
      if rest == 0 || poll(&entry, 1, rest) == 0 { return }
    }
  }

  /// Checks for the replies for about 30 µs, without blocking the thread.
  func look() throws(PersistenceError) {
    for _ in 0..<50 {
      guard let events = try advance() else { return }
      var entry = pollfd(fd: socket, events: events, revents: 0)
      // Other threads can run between the checks, so the checks delay them only a little.
      if poll(&entry, 1, 0) == 0 { sched_yield() }
    }
  }

  /// Waits for the replies of the current batch, and blocks the thread in the meantime.
  ///
  /// It first calls ``look()``, because most replies arrive before a blocked thread would wake up.
  ///
  /// - Parameter isCancellable: Whether a cancellation of the task stops the statement.
  func waitBlocking(isCancellable: Bool) throws(PersistenceError) -> [Reply] {
    try look()
    while let events = try advance() {
      try block(events, isCancellable: isCancellable)
    }
    return replies
  }

  /// Blocks the thread until the socket has an event, or until a signal interrupts the wait.
  ///
  /// - Throws: An error of kind `interrupted` if the task was cancelled; an error if the server
  ///   does not answer.
  func block(_ events: Int16, isCancellable: Bool) throws(PersistenceError) {
    var entry = pollfd(fd: socket, events: events, revents: 0)
    var end = silenceEnd(isCancellable: isCancellable)
    // Nothing wakes the thread at a cancellation, so it checks for one every 50 milliseconds.
    while poll(&entry, 1, 50) == 0 {
      if isCancellable, Task.isCancelled { throw cancelled() }
      guard end <= .now else { continue }
      try endSilence(isCancellable: isCancellable)
      end = silenceEnd(isCancellable: isCancellable)
    }
  }

  /// The time until which the server must send or accept something.
  private func silenceEnd(isCancellable: Bool) -> ContinuousClock.Instant {
    if wasSilent { return .now + Self.grace }
    // A statement that cannot be stopped also gets the time that stopping a statement may take.
    guard let patience else {
      return .now + (canceller.isRequested ? Self.patienceOfCancelled : .seconds(3_600))
    }
    return .now + patience + (isCancellable ? .zero : Self.grace)
  }

  /// Asks a silent server to stop the statement, or throws if it does not react to this.
  private func endSilence(isCancellable: Bool) throws(PersistenceError) {
    guard patience != nil || canceller.isRequested else { return }
    guard isCancellable, !wasSilent else {
      throw fail(.unavailable("The server does not answer"))
    }
    wasSilent = true
    canceller.request()
  }
}

/// Calls a function with a list of C strings that ends with a null pointer.
private func withCStrings<T>(
  _ strings: [String], _ body: ([UnsafePointer<CChar>?]) -> T
) -> T {
  let block = strings.flatMap { text -> [UInt8] in Array(text.utf8) + [0] }
  return block.withUnsafeBytes { bytes in
    var offset = 0
    var pointers: [UnsafePointer<CChar>?] = []
    for string in strings {
      pointers.append(
        bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self))
      offset += string.utf8.count + 1
    }
    return body(pointers + [nil])
  }
}
