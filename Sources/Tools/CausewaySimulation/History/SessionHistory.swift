import CausewayExploration
import Synchronization

/// Records the reads and writes of clients of replicated data, and checks the promises to them.
///
/// Replicated data is usually not linearizable, because a replica may be behind. Each client still
/// expects the session guarantees of D. Terry et al., "Session Guarantees for Weakly Consistent
/// Replicated Data", PDIS 1994.
///
/// ```swift
/// let history = SessionHistory<String, String, Int>()
/// // … in the actions of a script:
/// history.wrote("phone 1", "note 3", version: 7)
/// history.read("phone 2", "note 3", version: 6)
/// // … in the check:
/// try world.require(history.violation == nil, "\(history.violation)")
/// ```
///
/// Make the history in the closure that builds the world. Each trial then has its own history.
public final class SessionHistory<
  Client: Hashable & Sendable, Key: Hashable & Sendable, Version: Comparable & Sendable
>: Sendable {
  private struct Place: Hashable {
    let client: Client
    let key: Key
  }

  private struct Contents {
    var written: [Place: Version] = [:]
    var read: [Place: Version] = [:]
    var violation: SessionViolation?

    mutating func note(
      _ guarantee: SessionViolation.Guarantee, _ client: Client, _ key: Key, _ text: String
    ) {
      if violation != nil { return }
      violation = SessionViolation(
        guarantee: guarantee, description: "\(guarantee.rawValue): \(client) \(text) of \(key)")
    }
  }

  private let contents = Mutex(Contents())

  /// Makes an empty history.
  public init() {}

  /// The first broken guarantee; `nil` if there is none.
  public var violation: SessionViolation? { contents.withLock(\.violation) }

  /// Records a write.
  ///
  /// - Parameters:
  ///   - client: The client, whose operations must be recorded in the order in which it performs
  ///     them.
  ///   - key: The written value's name.
  ///   - version: The position of the write in the order of all writes of the key.
  public func wrote(_ client: Client, _ key: Key, version: Version) {
    if Scheduler.ofThread?.isCurrentAlive == false { return }
    let place = Place(client: client, key: key)
    contents.withLock { contents in
      if let earlier = contents.written[place], version <= earlier {
        contents.note(.monotonicWrites, client, key, "wrote \(version) after its own \(earlier)")
      }
      if let seen = contents.read[place], version <= seen {
        contents.note(.writesFollowReads, client, key, "wrote \(version) after it read \(seen)")
      }
      contents.written[place] = max(contents.written[place] ?? version, version)
    }
  }

  /// Records a read.
  ///
  /// - Parameters:
  ///   - client: The client, whose operations must be recorded in the order in which it performs
  ///     them.
  ///   - key: The value's name.
  ///   - version: The version that the client has read.
  public func read(_ client: Client, _ key: Key, version: Version) {
    if Scheduler.ofThread?.isCurrentAlive == false { return }
    let place = Place(client: client, key: key)
    contents.withLock { contents in
      if let own = contents.written[place], version < own {
        contents.note(.readYourWrites, client, key, "read \(version) after it wrote \(own)")
      }
      if let seen = contents.read[place], version < seen {
        contents.note(.monotonicReads, client, key, "read \(version) after \(seen)")
      }
      contents.read[place] = max(contents.read[place] ?? version, version)
    }
  }

  /// Whether, for each key, the newest version is the same for all clients that have read it.
  ///
  /// Call it after each client has read its keys at the end of a trial.
  ///
  /// - Complexity: O(reads).
  public var hasConverged: Bool {
    contents.withLock { contents in
      var newest: [Key: Version] = [:]
      for (place, version) in contents.read {
        newest[place.key] = max(newest[place.key] ?? version, version)
      }
      return contents.read.allSatisfy { newest[$0.key.key] == $0.value }
    }
  }
}

/// A broken promise to a client of replicated data.
public struct SessionViolation: Sendable, Hashable, CustomStringConvertible {
  /// The promises.
  public enum Guarantee: String, Sendable {
    /// A client reads its own writes, or newer ones.
    case readYourWrites = "read your writes"
    /// A client never reads an older version than before.
    case monotonicReads = "monotonic reads"
    /// The writes of a client keep their order.
    case monotonicWrites = "monotonic writes"
    /// A write is ordered after the writes that its client has read.
    case writesFollowReads = "writes follow reads"
  }

  /// The promise.
  public let guarantee: Guarantee
  /// The client, the key and the versions.
  public let description: String
}
