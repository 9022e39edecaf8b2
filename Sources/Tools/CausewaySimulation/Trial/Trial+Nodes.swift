import CausewayExploration

/// The starts and crashes of the nodes.
extension Trial: DiskOwner {
  func addNode(_ name: String, _ start: @escaping TrialNode.Start) -> NodeID {
    let life = scheduler.addNode()
    nodes.append(TrialNode(name: name, life: life, in: self, start: start))
    return NodeID(index: life.node)
  }

  func start(_ id: NodeID) {
    let node = nodes[id.index]
    if scheduler.isInTurn { return scheduler.afterTurn { [unowned self] in start(id) } }
    guard !node.isUp else { return }
    node.isUp = true
    log("starts", id)
    scheduler.perform(as: node.life) {
      node.starting = Task { @concurrent [start = node.start] in
        do {
          let root = try await start(id)
          Trial.use { $0.hasStarted(id, root) }
        } catch {
          let text = "\(error)"
          Trial.use { $0.couldNotStart(id, text) }
        }
      }
    }
  }

  private func hasStarted(_ id: NodeID, _ root: any Sendable) {
    guard scheduler.isCurrentAlive else { return }
    nodes[id.index].root = root
    nodes[id.index].starting = nil
    log("has started", id)
  }

  /// Ends a node whose body has thrown; with a bad disk, it starts again later.
  private func couldNotStart(_ id: NodeID, _ error: String) {
    guard scheduler.isCurrentAlive else { return }
    switch nodes[id.index].disk.fault {
    case .full, .failing, .failingSync, .readOnly: break
    case .slow, nil: return fail(.start(nodes[id.index].name, error))
    }
    log("could not start: \(error)", id)
    crash(id)
    scheduler.post(.world, after: .seconds(1)) { [unowned self] in start(id) }
  }

  /// Ends the run of a node.
  ///
  /// - Parameter power: Decides which changes that are not synchronised are left; `nil` keeps them
  ///   all.
  func crash(_ id: NodeID, power: SimulationRandom? = nil) {
    let node = nodes[id.index]
    guard node.isUp, scheduler.isCurrentAlive else { return }
    // Other threads may run steps of the node.
    if scheduler.isInTurn {
      return scheduler.afterTurn { [unowned self] in crash(id, power: power) }
    }
    log(power == nil ? "crashes" : "loses power", id)
    // The files are closed first. Otherwise, releasing the root could still write to them.
    node.disk.crash(power: power)
    endRun(of: id)
  }

  /// Ends the run of a node in the middle of an operation of its disk.
  ///
  /// The rest of the step runs, but has no effect outside of the node.
  func crashInside(_ id: NodeID, _ place: String, losesPower: Bool, for pause: Duration) {
    log("\(losesPower ? "loses power" : "crashes") \(place)", id)
    scheduler.interrupt(id.index) { [unowned self] in
      nodes[id.index].disk.crash()
      endRun(of: id)
      scheduler.post(.world, after: pause) { [unowned self] in start(id) }
    }
  }

  private func endRun(of id: NodeID) {
    let node = nodes[id.index]
    counts.crashes += 1
    node.endRun()
    scripts.endActions(on: id)
    scheduler.endLife(of: id.index)
    node.life = scheduler.life(of: id.index)
    for message in network.takeMessages(to: id) { message.serverHasCrashed() }
  }
}
