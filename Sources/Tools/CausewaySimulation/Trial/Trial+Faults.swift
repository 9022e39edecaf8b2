import CausewayExploration

/// The faults of a trial's world.
extension Trial {
  func beginFaults(until limit: Duration) {
    for (index, fault) in faults.enumerated() {
      if identity.removed.contains(.fault(index)) { continue }
      parts.append(.fault(index))
      var random = SimulationRandom(seed: identity.seed, purpose: 4, UInt64(index))
      switch fault {
      case .latency(let range): network.latency = range
      case .loss(let probability): network.loss = probability
      case .duplicates(let probability): network.duplicates = probability
      case .slowBytes(let probability, let pieces, let pause):
        network.slowBytes = (probability, pieces, pause)
      case .clockSkew(let most):
        for node in nodes {
          node.values.wallClock.skew = random.duration(in: .zero - most...most)
        }
      case .clockDrift(let most):
        for node in nodes {
          node.values.wallClock.setDrift(
            Int.random(in: -most...most, using: &random), at: scheduler.now)
        }
      case .clockJumps(let ids, let every, let most):
        repeatedly(index, every, until: limit, &random) { random in
          let id = ids.randomElement(using: &random)
          let jump = random.duration(in: .zero - most...most)
          return { trial in
            if let id { trial.moveClock(of: id, by: jump) }
          }
        }
      case .faultPoints(let probability, let pause): faultPoints = (probability, pause)
      case .tornSectors(let ids):
        for id in ids { nodes[id.index].disk.tearsSectors = true }
      case .bitRot(let ids, let every):
        repeatedly(index, every, until: limit, &random) { random in
          let id = ids.randomElement(using: &random)
          let place = SimulationRandom(seed: random.next())
          return { trial in
            guard let id else { return }
            var place = place
            trial.log("has a wrong bit on its disk", id)
            trial.nodes[id.index].disk.flipBit(&place)
          }
        }
      case .strayWrites(let ids, let every):
        repeatedly(index, every, until: limit, &random) { random in
          let id = ids.randomElement(using: &random)
          return { trial in
            guard let id else { return }
            trial.log("will write to a wrong place", id)
            trial.nodes[id.index].disk.strayWrites += 1
          }
        }
      case .crashes(let ids, let every, let down):
        crashes(index, of: ids, every, down, losesPower: false, until: limit, &random)
      case .powerLoss(let ids, let every, let down):
        crashes(index, of: ids, every, down, losesPower: true, until: limit, &random)
      case .disk(let fault, let ids, let every, let lasting):
        repeatedly(index, every, until: limit, &random) { random in
          let id = ids.randomElement(using: &random)
          let pause = random.duration(in: lasting)
          return { trial in
            guard let id else { return }
            trial.log("has a disk fault: \(fault)", id)
            trial.nodes[id.index].disk.fault = fault
            trial.scheduler.post(.world, after: pause) { [unowned trial] in
              trial.nodes[id.index].disk.fault = nil
            }
          }
        }
      case .partitions(let every, let lasting):
        let count = nodes.count
        repeatedly(index, every, until: limit, &random) { random in
          let from = Int.random(in: 0..<count, using: &random)
          let to = Int.random(in: 0..<count, using: &random)
          let isOneWay = Bool.random(using: &random)
          let pause = random.duration(in: lasting)
          return { trial in
            trial.partition(NodeID(index: from), NodeID(index: to), isOneWay, for: pause)
          }
        }
      }
    }
  }

  private func crashes(
    _ fault: Int, of ids: [NodeID], _ every: Duration, _ down: ClosedRange<Duration>,
    losesPower: Bool, until limit: Duration, _ random: inout SimulationRandom
  ) {
    repeatedly(fault, every, until: limit, &random) { random in
      let id = ids.randomElement(using: &random)
      let pause = random.duration(in: down)
      let power = losesPower ? SimulationRandom(seed: random.next()) : nil
      // Most bugs of a program that stores something are near the operations of its disk.
      let isInside = Bool.random(using: &random)
      let outage = DiskOutage(losesPower: losesPower, down: pause, &random)
      return { trial in
        guard let id else { return }
        guard isInside, trial.nodes[id.index].isUp else {
          return trial.crash(id, power: power, for: pause)
        }
        trial.prepare(outage, on: id, for: every, else: power)
      }
    }
  }

  private func crash(_ id: NodeID, power: SimulationRandom?, for pause: Duration) {
    crash(id, power: power)
    scheduler.post(.world, after: pause) { [unowned self] in start(id) }
  }

  /// Crashes a node at one of the next operations of its disk; if there is none, after a while.
  private func prepare(
    _ outage: DiskOutage, on id: NodeID, for wait: Duration, else power: SimulationRandom?
  ) {
    let disk = nodes[id.index].disk
    // The crash of an earlier event still waits for its operation.
    guard disk.outage == nil else { return crash(id, power: power, for: outage.down) }
    disk.outage = outage
    let run = disk.run
    scheduler.post(.world, after: wait) { [unowned self] in
      guard !isSettling, disk.outage != nil, disk.run == run else { return }
      crash(id, power: power, for: outage.down)
    }
  }

  /// Causes the events of a fault at random times.
  private func repeatedly(
    _ fault: Int, _ every: Duration, until limit: Duration, _ random: inout SimulationRandom,
    _ make: (inout SimulationRandom) -> (Trial) -> Void
  ) {
    var time = Duration.zero
    var number = 0
    var forks = identity.forks[...]
    while true {
      time += random.duration(in: .zero...(every * 2))
      if time >= limit || every <= .zero { return }
      if let fork = forks.take(until: time) {
        random = SimulationRandom(seed: fork.seed, purpose: 4, UInt64(fault))
      }
      let event = make(&random)
      let part = SimulationCase.Part.event(fault: fault, number: number)
      number += 1
      if identity.removed.contains(part) { continue }
      parts.append(part)
      scheduler.post(.world, after: time) { [unowned self] in
        if !isSettling { event(self) }
      }
    }
  }

  private func partition(_ from: NodeID, _ to: NodeID, _ isOneWay: Bool, for pause: Duration) {
    guard from != to else { return }
    log(
      "no message reaches \(nodes[to.index].name)\(isOneWay ? "" : ", in either direction")", from)
    network.block(from, to)
    if !isOneWay { network.block(to, from) }
    scheduler.post(.world, after: pause) { [unowned self] in
      network.unblock(from, to)
      if !isOneWay { network.unblock(to, from) }
    }
  }

  /// Ends all faults, and starts the nodes that are down.
  func endFaults() {
    network.heal()
    faultPoints = nil
    for node in nodes {
      node.disk.fault = nil
      node.disk.outage = nil
      node.disk.strayWrites = 0
    }
    for index in nodes.indices { start(NodeID(index: index)) }
  }

  /// Decides what happens at a named place of a program.
  ///
  /// - Returns: The time for which the task waits; `nil` if nothing happens.
  func passFaultPoint(_ name: StaticString) -> Duration? {
    let node = scheduler.current.node
    guard let faultPoints, node >= 0, scheduler.isCurrentAlive else { return nil }
    var random = SimulationRandom(seed: nodes[node].faultPoints.next())
    guard random.happens(faultPoints.probability) else { return nil }
    let pause = random.duration(in: faultPoints.pause)
    let id = NodeID(index: node)
    guard random.happens(0.25) else {
      log("waits at the fault point \(name)", id)
      return pause
    }
    log("ends at the fault point \(name)", id)
    let power = random.happens(0.5) ? SimulationRandom(seed: random.next()) : nil
    // The task never continues, because its node ends before its pause does.
    nodes[node].disk.turnOff()
    scheduler.interrupt(node) { [unowned self] in crash(id, power: power, for: pause) }
    return .zero
  }
}
