import CausewayBasics
import Synchronization

/// Sends the changes of one state to many streams as the same bytes.
///
/// It stores the last changes. A client that has missed some of them receives only these. A client
/// that has missed more receives the whole state.
final class StateBroadcast: Sendable {
  private struct State {
    var newest: JSONValue
    var version: UInt64 = 1
    /// The events of the last changes.
    ///
    /// The last of them leads to `version`.
    var changes: [[UInt8]] = []
    var changedBytes = 0
    /// The last changes as one array, and their number; nil until a client has missed several.
    var joined: (count: Int, bytes: [UInt8])?
    /// The newest state as JSON text; nil until a client needs it.
    var text: [UInt8]?
    /// The event with the newest state; nil until a client needs it.
    var whole: [UInt8]?
    var bodies: [ObjectIdentifier: StreamBody] = [:]
    var pace = StreamPace()
  }

  private static let rememberedChanges = 128
  private static let rememberedBytes = 64 << 10

  /// The member of a page's state that contains the shared state.
  let name: String
  private let state: Mutex<State>
  private let followers = Broadcast<Void>(nil, buffering: .latest)

  init(name: String, first: JSONValue) {
    self.name = name
    state = Mutex(State(newest: first))
  }

  /// Encodes a change once and wakes all streams.
  ///
  /// Not for concurrent calls. Complexity: O(n) in the size of the state and the number of streams.
  func publish(_ value: JSONValue) {
    let (newest, version) = state.withLock { ($0.newest, $0.version + 1) }
    guard let patch = MergePatch.difference(from: newest, to: value) else { return }
    let event = ServerSentEvent.bytes(
      name: "patch", id: EventPosition.shared(version),
      line: JSONValue.object([name: patch]).serialized(.html))
    let now = ContinuousClock.now
    let bodies = state.withLock { state in
      state.pace.publish(to: state.bodies.count, at: now)
      state.newest = value
      state.version = version
      state.text = nil
      state.whole = nil
      state.joined = nil
      state.changes.append(event)
      state.changedBytes += event.count
      // The last change stays even if it is large, because all streams need it now.
      while state.changes.count > 1
        && (state.changedBytes > Self.rememberedBytes
          || state.changes.count > Self.rememberedChanges)
      {
        state.changedBytes -= state.changes.removeFirst().count
      }
      return Array(state.bodies.values)
    }
    followers.send((), beginning: nil)
    for body in bodies { body.wake() }
  }

  /// The time until the next change is sent.
  var pause: Duration { state.withLock { $0.pace.pause(for: $0.bodies.count) } }

  /// Yields an element after each later change; several changes can share an element.
  var changes: AsyncStream<Void> { followers.stream() }

  /// Returns an object with the whole shared state as an additional member.
  func completing(_ own: JSONValue) -> JSONValue {
    guard case .object(var members) = own else { return own }
    members[name] = state.withLock(\.newest)
    return .object(members)
  }

  /// Adds a stream, which is woken after each change.
  func add(_ body: StreamBody) {
    state.withLock { $0.bodies[ObjectIdentifier(body)] = body }
  }

  func remove(_ body: StreamBody) {
    state.withLock { $0.bodies[ObjectIdentifier(body)] = nil }
  }

  /// The events for a client that has a version, or nil if there is nothing new.
  ///
  /// - Parameter version: The version of the client; nil if it has none.
  func events(after version: UInt64?) -> (bytes: [UInt8], version: UInt64)? {
    state.withLock { state in
      guard version != state.version else { return nil }
      state.pace.take(at: .now)
      let missed = version.flatMap { version in
        version < state.version ? state.version - version : nil
      }
      guard let missed, missed <= state.changes.count else {
        return (whole(&state), state.version)
      }
      // Usually a client has missed one change, and all streams send the same array.
      let changes = state.changes.suffix(Int(missed))
      guard changes.count > 1 else { return (changes[changes.endIndex - 1], state.version) }
      // On a busy server, most clients have missed the same changes.
      if let joined = state.joined, joined.count == changes.count {
        return (joined.bytes, state.version)
      }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(changes.reduce(0) { $0 + $1.count })
      for change in changes { bytes += change }
      state.joined = (changes.count, bytes)
      return (bytes, state.version)
    }
  }

  /// Throws if the shared state cannot be a member of a page's state.
  func checkName(in own: JSONValue) throws(SharedNameTaken) {
    guard case .object(let members) = own, members[name] == nil else {
      throw SharedNameTaken(name: name)
    }
  }

  /// Adds the whole state as a member to the text of an object.
  ///
  /// Returns the text and the version of the shared state. The text can be part of an HTML script.
  func completing(_ own: [UInt8]) -> (text: [UInt8], version: UInt64) {
    let (shared, version) = state.withLock { (Self.text(&$0), $0.version) }
    var text = own
    text.reserveCapacity(own.count + shared.count + name.utf8.count + 16)
    text.removeLast()
    if own.count > 2 { text.append(UInt8(ascii: ",")) }
    JSONValue.string(name).write(into: &text, .html)
    text.append(UInt8(ascii: ":"))
    text += shared
    text.append(UInt8(ascii: "}"))
    return (text, version)
  }

  /// The value at the steps of a path in a page's state; nil if the path does not lead into the
  /// shared state.
  func value(at steps: [String]) -> JSONValue? {
    guard steps.first == name else { return nil }
    return state.withLock(\.newest).value(at: steps.dropFirst())
  }

  private func whole(_ state: inout State) -> [UInt8] {
    if let whole = state.whole { return whole }
    var line = Array("{\(JSONValue.string(name)):".utf8)
    line += Self.text(&state)
    line.append(UInt8(ascii: "}"))
    let whole = ServerSentEvent.bytes(
      name: "shared", id: EventPosition.shared(state.version), line: line)
    state.whole = whole
    return whole
  }

  private static func text(_ state: inout State) -> [UInt8] {
    if let text = state.text { return text }
    let text = state.newest.serialized(.html)
    state.text = text
    return text
  }
}

/// The numbers of the last events that a page has received, such as `3 shared.7`.
///
/// A number without a prefix belongs to the page's own state.
struct EventPosition {
  var own: UInt64?
  var shared: UInt64?

  /// Reads a `Last-Event-ID` field.
  ///
  /// Ignores unknown parts, because the page then receives the whole state.
  init(field: String?) {
    for part in (field ?? "").split(separator: " ") {
      if let number = UInt64(part) {
        own = number
      } else if part.hasPrefix(Self.prefix) {
        shared = UInt64(part.dropFirst(Self.prefix.count))
      }
    }
  }

  private static let prefix = "shared."

  static func shared(_ version: UInt64) -> String { "\(prefix)\(version)" }
}
