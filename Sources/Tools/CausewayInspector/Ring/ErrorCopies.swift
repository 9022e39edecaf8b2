import CausewaySystem
import Foundation
import Synchronization

/// Copies of a ring at the moments at which errors were reported.
///
/// The copies are rings too, beside the ring: `PATH.error-1` to `PATH.error-8`. A new copy replaces
/// the oldest copy, but never the first copy of this run, which often has the cause. There is at
/// most one a second, because a program can report thousands.
///
/// Isolation: any. Writing takes about a millisecond.
final class ErrorCopies: Sendable {
  static let most = 8
  /// The shortest time between two copies, in microseconds.
  private static let pause = 1_000_000

  private struct State {
    /// The number of the newest copy; 0 without one.
    var last: Int
    /// The number of the first copy of this run.
    var first: Int?
    var time: Int?
  }

  private let path: String
  private let state: Mutex<State>

  /// - Parameter path: The path of the ring.
  init(of path: String) {
    self.path = path
    let dates = (1...Self.most).compactMap { number in
      Self.date(of: Self.name(path, number)).map { (number, $0) }
    }
    state = Mutex(State(last: dates.max { $0.1 < $1.1 }?.0 ?? 0))
  }

  /// Returns the path of the next copy; `nil` if the last one is too recent.
  ///
  /// - Parameter time: The time of the error in microseconds.
  func next(at time: Int) -> String? {
    state.withLock { state in
      if let last = state.time, time - last < Self.pause { return nil }
      state.time = time
      repeat { state.last = state.last % Self.most + 1 } while state.last == state.first
      state.first = state.first ?? state.last
      return Self.name(path, state.last)
    }
  }

  /// Writes a copy that only its owner can read; a failure must not disturb the program.
  static func write(_ bytes: [UInt8], to path: String) {
    let new = path + ".new"
    unlink(new)
    let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    guard (try? handle.write(contentsOf: Data(bytes))) != nil, rename(new, path) == 0 else {
      unlink(new)
      return
    }
  }

  private static func name(_ path: String, _ number: Int) -> String { "\(path).error-\(number)" }

  private static func date(of path: String) -> Date? {
    let values = try? FileManager.default.attributesOfItem(atPath: path)
    return values?[.modificationDate] as? Date
  }
}
