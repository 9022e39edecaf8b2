public import Foundation
import Synchronization
public import TestSupport

/// A program that a test starts, reads from and ends.
///
/// It ends only this process.
public final class ChildProcess: Sendable {
  /// The program's standard output, in the chunks in which it arrives.
  ///
  /// Only one consumer may iterate it.
  public let output: AsyncStream<Data>
  /// The source of the program's standard input.
  public let input: FileHandle

  /// How a program ended.
  public typealias Exit = SpawnedProcess.Exit

  private let process: SpawnedProcess
  private let ended: Waiters
  private let errorOutput: Collected

  /// Starts a program.
  ///
  /// - Throws: `POSIXError` if the program cannot be started.
  public init(
    _ executable: URL, arguments: [String], environment: [String: String]? = nil
  ) throws {
    // A write to an ended program must throw an error and not end the test run.
    signal(SIGPIPE, SIG_IGN)
    let (toChild, fromChild, errors) = (Pipe(), Pipe(), Pipe())
    let (ended, errorOutput) = (Waiters(), Collected())
    let process = try SpawnedProcess(
      executable, arguments, environment: environment, input: toChild.fileHandleForReading,
      output: fromChild.fileHandleForWriting, errors: errors.fileHandleForWriting,
      onExit: { _ in ended.open() })
    // Otherwise the output would not end with the program.
    try toChild.fileHandleForReading.close()
    try fromChild.fileHandleForWriting.close()
    try errors.fileHandleForWriting.close()

    let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
    Self.read(fromChild.fileHandleForReading) { piece in
      if let piece { continuation.yield(piece) } else { continuation.finish() }
    }
    Self.read(errors.fileHandleForReading) { piece in
      if let piece { errorOutput.append(piece) } else { errorOutput.finish() }
    }
    self.process = process
    self.ended = ended
    self.errorOutput = errorOutput
    self.output = stream
    self.input = toChild.fileHandleForWriting
  }

  deinit {
    process.send(signal: SIGKILL)
  }

  /// The id of the process.
  public var identifier: Int32 { process.identifier }

  /// The program's standard error so far.
  public var errors: String { errorOutput.text }

  /// The whole standard error of the program, after the program has closed it.
  public var allErrors: String {
    get async {
      await errorOutput.finished()
      return errorOutput.text
    }
  }

  /// Waits for the program's end and returns how it ended.
  public var exit: Exit {
    get async {
      await ended.wait()
      // The program has ended, so this does not block.
      return process.waitForExit()
    }
  }

  /// Sends the program a signal.
  ///
  /// Has no effect if the program has ended.
  public func send(signal: Int32) {
    process.send(signal: signal)
  }

  /// The lines of the program's standard output.
  ///
  /// Only one consumer may iterate it, instead of ``output``.
  public var lines: AsyncStream<String> {
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

  /// Reads on its own thread, because `read` would block a thread of the pool.
  ///
  /// The system's `read` returns the available bytes. Foundation's `read` waits for all requested
  /// bytes.
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

/// Text that one thread appends and others read.
private final class Collected: Sendable {
  private let data = Mutex(Data())
  private let waiters = Waiters()

  func append(_ piece: Data) { data.withLock { $0.append(piece) } }
  func finish() { waiters.open() }
  func finished() async { await waiters.wait() }
  var text: String { data.withLock { String(decoding: $0, as: UTF8.self) } }
}

/// A gate that opens once, for all current and later waiters.
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
