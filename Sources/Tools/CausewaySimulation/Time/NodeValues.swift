import CausewayExploration

/// The clock and the random numbers of a node, or of the world outside of the nodes.
struct NodeValues {
  var wallClock = NodeWallClock()
  private var random: InstantRandom
  /// The random numbers that the code takes from the system.
  ///
  /// Some code takes such numbers only in the first trial of a process. This must not change the
  /// node's other random numbers.
  private var systemRandom: InstantRandom

  /// - Parameter node: The index of the node; `nil` for the world.
  init(_ identity: SimulationCase, node: Int?) {
    if let node {
      let number = UInt64(truncatingIfNeeded: node)
      random = InstantRandom(identity, purpose: 2, number)
      systemRandom = InstantRandom(identity, purpose: 7, number)
    } else {
      random = InstantRandom(identity, purpose: 6)
      systemRandom = InstantRandom(identity, purpose: 8)
    }
  }

  /// Returns the next random number.
  mutating func randomWord(at now: Duration) -> UInt64 {
    random.draw(at: now) { $0.next() }
  }

  /// Returns the next random number, from 0 to 1.
  mutating func randomFraction(at now: Duration) -> Double {
    random.draw(at: now) { $0.nextFraction() }
  }

  /// Fills memory with random numbers of the system.
  mutating func randomize(_ bytes: UnsafeMutableBufferPointer<UInt8>, at now: Duration) {
    systemRandom.draw(at: now) { random in
      for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
    }
  }

  /// The date, in milliseconds since 1970.
  func milliseconds(at now: Duration) -> Int64 {
    Int64(SimulatedSystem.startOfTime) * 1_000 + wallClock.time(at: now).microseconds / 1_000
  }

  /// The date, in nanoseconds since 1970.
  func nanoseconds(at now: Duration) -> Int64 {
    Int64(SimulatedSystem.startOfTime) * 1_000_000_000 + wallClock.time(at: now).nanoseconds
  }

  /// The time of the monotonic clocks, in nanoseconds.
  static func uptime(at now: Duration) -> Int64 { SimulatedSystem.startOfUptime + now.nanoseconds }
}
