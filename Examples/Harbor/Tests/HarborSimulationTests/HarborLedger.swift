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
    /// A new link of the account with this id.
    case link(account: String)
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
    /// The links that a user has tried to remove.
    var removedLinks: Set<String> = []
    /// The pictures that the server has stored, by id.
    var pictures: [String: [UInt8]] = [:]
    /// The codes of invitations.
    var invitations: [String] = []
    /// The accounts that a page has shown as members of the second group.
    var members: Set<String> = []
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

  var removedLinks: Set<String> { state.withLock(\.removedLinks) }
  var pictures: [String: [UInt8]] { state.withLock(\.pictures) }
  var invitations: [String] { state.withLock(\.invitations) }
  var members: Set<String> { state.withLock(\.members) }

  func removing(link: String) { _ = state.withLock { $0.removedLinks.insert(link) } }
  func uploaded(_ picture: String, _ bytes: [UInt8]) {
    state.withLock { $0.pictures[picture] = bytes }
  }
  func invited(_ code: String) { state.withLock { $0.invitations.append(code) } }
  func joined(_ account: String) { _ = state.withLock { $0.members.insert(account) } }

  /// Returns a number that no other change has.
  func newNumber() -> Int {
    state.withLock { state in
      state.last += 1
      return state.last
    }
  }

  func newText(_ text: String) -> String { "\(text), \(newNumber())." }

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
