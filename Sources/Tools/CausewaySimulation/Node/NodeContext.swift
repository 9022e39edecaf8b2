import CausewayBasics
import CausewayExploration
public import CausewayNetwork
public import Foundation

/// The world as the program of a node sees it: time, random numbers, a disk and a network.
///
/// Only jobs of the simulation may use it.
public struct NodeContext: Sendable {
  /// The node.
  public let id: NodeID
  /// The name of the node.
  public let name: String

  /// Whether the program of the node runs: `false` in the rest of a step in which it has crashed.
  ///
  /// After a crash inside a step, all operations of the disk throw, no message leaves the node, and
  /// the program never continues after its next `await`. Code that ignores such an error and then
  /// changes an object of the test, for example a count of stored values, must look at this property
  /// first.
  public var isRunning: Bool { Trial.ofThread.scheduler.isCurrentAlive }

  /// The clock for all code of the node that waits.
  public var clock: SimulationClock { SimulationClock() }

  /// The current date on the node.
  ///
  /// A fault can make it wrong.
  public var date: Date {
    Date(
      timeIntervalSince1970: SimulatedSystem.startOfTime
        + use { $0.values.wallClock.time(at: $1) } / .seconds(1))
  }

  /// Returns the next random number of the node.
  public func random() -> UInt64 {
    use { $0.values.randomWord(at: $1) }
  }

  /// Returns an identifier from the random numbers of the node, in the form of version 4.
  public func uuid() -> UUID {
    UUID(version4: (random(), random()))
  }

  /// Returns the value that the node stored under a name; if there is no value, makes it.
  ///
  /// The value survives a crash of the node, like a file. It must not contain a task of the node.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - make: Makes the value when the node starts for the first time.
  public func stored<Value: Sendable>(
    _ name: String, _ make: () throws -> Value
  ) rethrows -> Value {
    if let value = use({ node, _ in node.stored[name] as? Value }) { return value }
    let value = try make()
    let (old, new) = use { node, _ -> ((any Sendable)?, Value) in
      // Another thread may have stored a value meanwhile.
      if let value = node.stored[name] as? Value { return (nil, value) }
      guard isRunning else { return (nil, value) }
      return (node.stored.updateValue(value, forKey: name), value)
    }
    // Releasing a value can run code of the program, which must not run with the trial's lock.
    withExtendedLifetime(old) {}
    return new
  }

  /// Answers the requests that other nodes send to this one, until the node crashes.
  ///
  /// Each request runs in a separate task.
  ///
  /// - Parameters:
  ///   - handler: Returns the response. If it throws, the response has status 500.
  ///   - events: Returns the event stream with which a request is answered; `nil` if `handler` responds.
  ///     The server sends the events until the sequence ends. The sequence is cancelled when the
  ///     connection is lost, and an error of it ends the connection. Default: no event streams.
  public func serve(
    _ handler: @escaping @Sendable (NetworkRequest) async throws -> NetworkResponse,
    events:
      @escaping @Sendable (NetworkRequest) async throws -> (
        any AsyncSequence<NetworkEvent, any Error> & Sendable
      )? = { _ in nil }
  ) {
    serve(answering: { request in
      if let events = try await events(request) { return .events(events) }
      return .response(try await handler(request))
    })
  }

  /// Answers the requests of other nodes with responses and event streams, until the node crashes.
  ///
  /// Each request runs in a separate task.
  ///
  /// - Parameter handler: Returns the answer. If it throws, the response has status 500.
  package func serve(
    answering handler: @escaping @Sendable (NetworkRequest) async throws -> SimulatedAnswer
  ) {
    var handler: (@Sendable (NetworkRequest) async throws -> SimulatedAnswer)? = handler
    use { node, _ in swap(&node.handler, &handler) }
    // The release of the old handler can run code of the program that takes the trial's lock. So
    // the handler is released after `use`, which holds this lock.
    withExtendedLifetime(handler) {}
  }

  /// Adds a line to the timeline of the node.
  ///
  /// A failure shows the timeline.
  public func log(_ text: @autoclosure () -> String) {
    Trial.ofThread.log(text(), id)
  }

  /// Calls a closure with the state of the node and the virtual time, while no other thread uses them.
  ///
  /// The closure must not call code of the program.
  func use<R>(_ body: (TrialNode, _ now: Duration) -> R) -> R {
    Trial.use { body($0.nodes[id.index], $0.scheduler.now) }
  }

  /// Returns a program that starts with the context of its node.
  static func start<Root: Sendable>(
    _ name: String, _ body: @escaping @Sendable (NodeContext) async throws -> Root
  ) -> TrialNode.Start {
    { try await body(NodeContext(id: $0, name: name)) }
  }
}
