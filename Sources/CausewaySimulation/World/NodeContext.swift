public import CausewayData
public import Foundation

/// What the program of a node gets from the world: time, random numbers, a disk and a network.
///
/// It can be used by the jobs of the simulation only.
public struct NodeContext: Sendable {
  /// The node.
  public let id: NodeID
  /// The name of the node.
  public let name: String

  /// The clock, for everything that waits.
  public var clock: SimulationClock { SimulationClock() }

  /// The date that the node's system shows.
  ///
  /// Faults can make it wrong.
  public var date: Date {
    let trial = Trial.ofThread
    let offset = trial.scheduler.now + trial.nodes[id.index].skew
    return Date(timeIntervalSince1970: 1_750_000_000 + offset / .seconds(1))
  }

  /// Returns the next random number of the node.
  public func random() -> UInt64 {
    Trial.ofThread.nodes[id.index].random.next()
  }

  /// Returns what the node stored under a name, or stores what a closure makes.
  ///
  /// The value survives a crash of the node, as a file does. It must not keep a task of the node.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - make: Makes the value when the node starts for the first time.
  public func stored<Value: Sendable>(
    _ name: String, _ make: () throws -> Value
  ) rethrows -> Value {
    let node = Trial.ofThread.nodes[id.index]
    if let value = node.stored[name] as? Value { return value }
    let value = try make()
    node.stored[name] = value
    return value
  }

  /// Answers the requests that other nodes send to this one, until the node crashes.
  ///
  /// Each request runs as a task of its own.
  ///
  /// - Parameter handler: Returns the response. An error is a response with status 500.
  public func serve(
    _ handler: @escaping @Sendable (NetworkRequest) async throws -> NetworkResponse
  ) {
    Trial.ofThread.nodes[id.index].handler = handler
  }

  /// Returns the network service by which this node sends requests to another node.
  public func network(
    to server: NodeID, coding: JSONCoding = .standard
  ) -> SimulatedNetworkService {
    SimulatedNetworkService(coding: coding, client: id, server: server)
  }

  /// Adds a line to the timeline of the node, which a failure shows.
  public func log(_ text: @autoclosure () -> String) {
    Trial.ofThread.log(text(), id)
  }
}
