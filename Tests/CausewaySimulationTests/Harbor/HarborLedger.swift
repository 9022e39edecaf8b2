import Synchronization

/// The changes that users have made, outside the simulated world.
///
/// A change that a device has accepted must reach the server once. A sign-out may drop the changes
/// that the server does not have, and a crash may interrupt a call after its change was stored.
final class HarborLedger: Sendable {
  enum Kind: Sendable, Equatable {
    case create
    /// An edit of the activity with this id.
    case edit(String)
  }

  struct Change: Sendable {
    let kind: Kind
    let device: String
    /// Whether the server must have the change at the end.
    var isCertain = false
  }

  private struct State {
    /// The changes by their unique text.
    var changes: [String: Change] = [:]
    /// The number of sign-ins and sign-outs that run on each device.
    var closing: [String: Int] = [:]
    /// Devices whose last sign-out may not be complete.
    var signedOut: Set<String> = []
    var last = 0
  }

  private let state = Mutex(State())

  /// All changes, by their unique text.
  var changes: [String: Change] { state.withLock(\.changes) }

  /// Returns whether a sign-in or a sign-out runs on a device.
  func isClosing(_ device: String) -> Bool { state.withLock { $0.closing[device] ?? 0 > 0 } }

  /// A crash has ended all calls.
  func restarted(_ device: String) {
    state.withLock { state in
      state.closing[device] = 0
      state.signedOut.remove(device)
    }
  }

  func newText(_ text: String) -> String {
    state.withLock { state in
      state.last += 1
      return "\(text), \(state.last)."
    }
  }

  /// Records a change and its outcome.
  func perform(
    _ kind: Kind, _ text: String, on device: String, _ body: () async throws -> Void
  ) async throws {
    state.withLock { $0.changes[text] = Change(kind: kind, device: device) }
    try await body()
    state.withLock { state in
      let isSafe = state.closing[device] ?? 0 == 0 && !state.signedOut.contains(device)
      if isSafe { state.changes[text]?.isCertain = true }
    }
  }

  /// Runs a sign-in or a sign-out, after which unsent changes need not reach the server.
  ///
  /// - Parameters:
  ///   - texts: Returns the unsent changes.
  ///   - body: Returns whether an account is signed in.
  func closing(
    _ device: String, texts: () async throws -> [String], _ body: () async throws -> Bool
  ) async throws {
    state.withLock { state in
      state.closing[device, default: 0] += 1
      state.signedOut.insert(device)
    }
    defer { state.withLock { $0.closing[device, default: 1] -= 1 } }
    let unsent = try await texts()
    state.withLock { state in
      for (text, change) in state.changes where change.device == device {
        if unsent.contains(where: { $0.contains(text) }) { state.changes[text]?.isCertain = false }
      }
    }
    if try await body() { _ = state.withLock { $0.signedOut.remove(device) } }
  }
}
