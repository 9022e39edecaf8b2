import CausewayExploration

/// The world of one trial: its nodes, faults and scripts.
public struct World: Sendable {
  /// Adds a node, which starts when the trial begins.
  ///
  /// - Parameters:
  ///   - name: The name, for reports.
  ///   - body: Starts the program of the node and returns its root, which scripts and checks use.
  ///     It runs again after each crash. An error fails the trial. But if the disk has a fault at
  ///     this moment, the node crashes, and starts again after a second.
  public func node<Root: Sendable>(
    _ name: String, _ body: @escaping @Sendable (NodeContext) async throws -> Root
  ) -> SimulatedNode<Root> {
    let start = NodeContext.start(name, body)
    let id = Trial.use { $0.addNode(name, start) }
    return SimulatedNode(id: id, name: name)
  }

  /// The faults of the world.
  ///
  /// Set them before the trial begins.
  public var faults: [SimulationFault] {
    get { Trial.ofThread.faults }
    nonmutating set { Trial.ofThread.faults = newValue }
  }

  /// Adds the actions of users: each node performs several actions, with a pause before each.
  ///
  /// Each action has its own random numbers. A failing trial can therefore be repeated without some
  /// of its actions. If a node is down, its action is skipped. Some actions of several scripts begin at
  /// the same moment.
  ///
  /// - Parameters:
  ///   - nodes: The nodes.
  ///   - actions: The number of actions of each node.
  ///   - pause: The time before each action.
  ///   - expectsErrors: Whether actions may throw, for example because the network fails. The timeline
  ///     then shows their errors. Otherwise, an error fails the trial. An error of
  ///     ``require(_:_:)`` always does.
  ///   - action: Performs one action on the root of a node.
  public func script<Root: Sendable>(
    on nodes: [SimulatedNode<Root>], actions: Int,
    pause: ClosedRange<Duration> = .zero ... .seconds(10), expectsErrors: Bool = false,
    _ action: @escaping @Sendable (Root, inout SimulationRandom) async throws -> Void
  ) {
    let trial = Trial.ofThread
    for node in nodes {
      trial.scripts.add(
        Script(node: node.id, count: actions, pause: pause, expectsErrors: expectsErrors) {
          random in
          guard let root = node.root else { return false }
          var random = random
          try await action(root, &random)
          return true
        })
    }
  }

  /// Blocks all messages from one node to another, for example in an action of a script.
  ///
  /// Messages in the other direction still pass. The block ends with ``unblock(from:to:)``, and with
  /// the other faults.
  public func block(from: NodeID, to: NodeID) {
    Trial.use { trial in
      trial.log("messages from \(trial.nodes[from.index].name) no longer arrive", to)
      trial.network.block(from, to)
    }
  }

  /// Ends one block of the messages from one node to another.
  public func unblock(from: NodeID, to: NodeID) {
    Trial.use { trial in
      trial.log("messages from \(trial.nodes[from.index].name) arrive again", to)
      trial.network.unblock(from, to)
    }
  }

  /// The time since the start of the simulation.
  public var now: Duration { Trial.ofThread.scheduler.now }

  /// Fails the trial if a condition does not hold, in a check or an action.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - message: The description of the problem.
  /// - Throws: An error with the message.
  public func require(
    _ condition: Bool, _ message: @autoclosure () -> String
  ) throws {
    if !condition { throw BrokenRequirement(message: message()) }
  }

  /// Fails the trial, for example from an action of a script.
  ///
  /// - Parameter message: The description of the problem.
  public func fail(_ message: String) {
    Trial.use { $0.fail(.requirement(message)) }
  }

  /// Adds a line to the timeline of the world.
  ///
  /// A failure shows the timeline.
  public func log(_ text: @autoclosure () -> String) {
    Trial.ofThread.log(text())
  }
}
