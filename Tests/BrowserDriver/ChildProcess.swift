package import Foundation
import Synchronization

/// A program that a test starts, listens to and ends: never more than the one process it started.
package final class ChildProcess: Sendable {
  /// What the program writes to standard output, in the pieces in which it arrives.
  ///
  /// One consumer.
  package let output: AsyncStream<Data>
  /// Where the program's standard input comes from.
  package let input: FileHandle

  private let process: Process
  private let ending: Ending
  private let errorOutput: Collected

  /// Starts a program.
  ///
  /// - Throws: what Foundation says where the program cannot be started.
  package init(
    _ executable: URL, arguments: [String], environment: [String: String]? = nil
  ) throws {
    // A write to a program that has ended must be an error here, not the end of the test run.
    signal(SIGPIPE, SIG_IGN)
    let process = Process()
    let (toChild, fromChild, errors) = (Pipe(), Pipe(), Pipe())
    let (ending, errorOutput) = (Ending(), Collected())
    process.executableURL = executable
    process.arguments = arguments
    if let environment { process.environment = environment }
    process.standardInput = toChild
    process.standardOutput = fromChild
    process.standardError = errors
    process.terminationHandler = { ending.record($0.terminationStatus, $0.terminationReason) }
    try process.run()

    let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
    Self.read(fromChild.fileHandleForReading) { piece in
      if let piece { continuation.yield(piece) } else { continuation.finish() }
    }
    Self.read(errors.fileHandleForReading) { piece in
      if let piece { errorOutput.append(piece) } else { errorOutput.finish() }
    }
    self.process = process
    self.ending = ending
    self.errorOutput = errorOutput
    self.output = stream
    self.input = toChild.fileHandleForWriting
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// The id of the process.
  package var identifier: Int32 { process.processIdentifier }

  /// What the program has written to standard error so far.
  package var errors: String { errorOutput.text }

  /// All that the program wrote to standard error, once it has closed it.
  package var allErrors: String {
    get async {
      await errorOutput.finished()
      return errorOutput.text
    }
  }

  /// How the program ended; waits for it.
  package var exit: Exit { get async { await ending.value } }

  /// Sends the program a signal.
  ///
  /// Nothing happens where it has ended.
  package func send(signal: Int32) {
    if process.isRunning { kill(process.processIdentifier, signal) }
  }

  /// The lines that the program writes to standard output.
  ///
  /// One consumer, instead of ``output``.
  package var lines: AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let output = output
    Task {
      var rest = Data()
      for await piece in output {
        rest.append(piece)
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
          rest = Data(rest[rest.index(after: end)...])
        }
      }
      if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
      continuation.finish()
    }
    return stream
  }

  /// Reads on a thread of its own, because `read` blocks and would hold one of the pool's.
  ///
  /// The system's `read` returns what is there; Foundation's waits for all that was asked for.
  private static func read(
    _ handle: FileHandle, deliver: @escaping @Sendable (Data?) -> Void
  ) {
    Thread {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = systemRead(handle.fileDescriptor, &buffer, buffer.count)
        if count > 0 {
          deliver(Data(buffer[..<count]))
        } else if count == 0 || errno != EINTR {
          break
        }
      }
      deliver(nil)
    }.start()
  }
}

private func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8], _ count: Int) -> Int {
  read(descriptor, &buffer, count)
}

extension ChildProcess {
  /// How a program ended.
  package enum Exit: Sendable, Equatable {
    /// It returned this code.
    case code(Int32)
    /// This signal ended it.
    case signal(Int32)
  }
}

/// Says once how a process ended, to any number of waiters.
private final class Ending: Sendable {
  private let recorded = Mutex<ChildProcess.Exit?>(nil)
  private let waiters = Waiters()

  func record(_ status: Int32, _ reason: Process.TerminationReason) {
    recorded.withLock { $0 = reason == .exit ? .code(status) : .signal(status) }
    waiters.open()
  }

  var value: ChildProcess.Exit {
    get async {
      await waiters.wait()
      return recorded.withLock { $0 } ?? .code(-1)
    }
  }
}

/// Text that grows on one thread and is read on others.
private final class Collected: Sendable {
  private let data = Mutex(Data())
  private let waiters = Waiters()

  func append(_ piece: Data) { data.withLock { $0.append(piece) } }
  func finish() { waiters.open() }
  func finished() async { await waiters.wait() }
  var text: String { data.withLock { String(decoding: $0, as: UTF8.self) } }
}

/// A gate that opens once, for all who wait and all who come later.
private final class Waiters: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Mutex(State())

  func open() {
    let waiting = state.withLock { state in
      defer { state = State(isOpen: true) }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}
