/// A node of a simulated world, and the root of its program.
///
/// A node simulates a process: it has its own memory, clock, random numbers and network address. A
/// crash drops everything except the disk and the values that the node has stored.
public struct SimulatedNode<Root: Sendable>: Sendable {
  /// The node's identity.
  public let id: NodeID
  /// The name, for reports.
  public let name: String

  /// The value that the node's body returned; `nil` while the node starts and after a crash.
  public var root: Root? {
    Trial.use { $0.nodes[id.index].root } as? Root
  }

  /// Ends the node immediately, so its tasks never run again.
  ///
  /// If the node is down, this function does nothing.
  public func crash() {
    Trial.use { $0.crash(id) }
  }

  /// Ends the node immediately; its disk may lose changes that are not synchronised.
  ///
  /// If the node is down, this function does nothing.
  public func losePower() {
    Trial.use { $0.crash(id, power: $0.nodes[id.index].disk.takeRandom()) }
  }

  /// Changes the program of the node, for example to its next version.
  ///
  /// The node runs it from its next start on. Its disk and its stored values stay.
  ///
  /// - Parameter body: Starts the program, like the `body` of ``World/node(_:_:)``.
  public func install(_ body: @escaping @Sendable (NodeContext) async throws -> Root) {
    var start = NodeContext.start(name, body)
    Trial.use { swap(&$0.nodes[id.index].start, &start) }
    // Releasing the old program can run code that needs the trial's lock.
    withExtendedLifetime(start) {}
  }

  /// Moves the wall clock of the node forwards, or back by a negative duration.
  ///
  /// The clock that measures durations stays right.
  public func moveClock(by duration: Duration) {
    Trial.use { $0.moveClock(of: id, by: duration) }
  }

  /// Runs the body of the node again, if the node is down.
  public func restart() {
    Trial.use { $0.start(id) }
  }
}
