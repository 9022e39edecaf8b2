import Foundation
import Synchronization
import TestSupport

/// Harbor and the browsers that use it; each browser has its own thread.
struct HarborWorld {
  /// A machine with two cores must have time for Harbor itself.
  private static let visitors = 6
  /// The number of activities that a person creates at most.
  private static let plans = 8
  private static let memoryLimit = 1_500_000
  private static let fileLimit = 5_000
  /// The largest number of open files after all browsers have left.
  private static let idleFileLimit = 250

  private let kind: Stress.World
  private let seed: UInt64
  private let watchdog: Watchdog
  private let ledger = Ledger()
  private let harbor: HarborProgram

  init(_ kind: Stress.World, _ seed: UInt64, _ watchdog: Watchdog) throws {
    self.kind = kind
    self.seed = seed
    self.watchdog = watchdog
    harbor = try HarborProgram(watchdog)
  }

  /// Runs the world; returns what happened.
  func run(seconds: Double) throws -> String {
    defer { harbor.removeData() }
    let keeper = watchdog.part("the keeper")
    keeper.begins("start harbor")
    try harbor.start()
    let end = ContinuousClock.now + .seconds(seconds)
    let threads = RunningThreads(Self.visitors)
    for index in 0..<Self.visitors {
      let (part, random) = (
        watchdog.part("browser \(index)"), SeededRandom(seed: seed &* 31 &+ UInt64(index))
      )
      Thread.detachNewThread { [self] in
        use(Visitor("Person \(index)", harbor, ledger, part), part, random, until: end)
        part.ends()
        threads.end()
      }
    }
    var most = try keep(keeper, until: end)
    keeper.begins("wait for the browsers")
    threads.wait()
    most = max(most, harbor.use.memory)
    // A suspended stream notices at its next heartbeat that its browser has left.
    keeper.begins("close the connections of browsers that have left")
    while harbor.use.files > Self.idleFileLimit { Thread.sleep(forTimeInterval: 0.5) }
    keeper.begins("stop harbor")
    try harbor.end(by: SIGTERM)
    if kind != .accounts { try check(keeper) }
    return "\(harbor.starts) starts, \(most / 1024) MB at most, answers: \(ledger.statuses)"
  }

  /// Stops and starts Harbor, and measures it; returns the largest memory in kilobytes.
  private func keep(_ part: Part, until end: ContinuousClock.Instant) throws -> Int {
    var random = SeededRandom(seed: seed)
    var most = 0
    while ContinuousClock.now < end {
      part.ends()
      let pause = kind == .stops ? Double.random(in: 1...4, using: &random) : 5
      Thread.sleep(forTimeInterval: pause)
      let use = harbor.use
      most = max(most, use.memory)
      if use.memory > Self.memoryLimit || use.files > Self.fileLimit {
        throw Problem("harbor has \(use.memory) kB of memory and \(use.files) open files")
      }
      guard kind == .stops || kind == .harbor && Int.random(in: 0..<4, using: &random) == 0 else {
        continue
      }
      let isKilled = kind == .harbor && Int.random(in: 0..<4, using: &random) == 0
      part.begins("stop harbor")
      try harbor.end(by: isKilled ? SIGKILL : SIGTERM)
      part.begins("start harbor")
      try harbor.start()
    }
    return most
  }

  /// Compares the board after a restart with the acknowledged actions.
  private func check(_ part: Part) throws {
    part.begins("start harbor for the comparison")
    try harbor.start()
    for index in 0..<Self.visitors {
      let visitor = Visitor("Person \(index)", harbor, ledger, part)
      var missing: [String] = []
      // The page of a new session can be older than the board for a moment.
      for _ in 0..<20 {
        let board = try visitor.wholeBoard()
        missing = ledger.missing(for: visitor.name, on: board)
        if missing.isEmpty { break }
        visitor.rest(0.5)
      }
      guard missing.isEmpty else { throw Problem("lost: \(missing.joined(separator: "; "))") }
      part.begins("compare the next board")
    }
    try harbor.end(by: SIGTERM)
    part.ends()
  }

  private func use(
    _ visitor: Visitor, _ part: Part, _ random: SeededRandom, until end: ContinuousClock.Instant
  ) {
    var random = random
    while ContinuousClock.now < end {
      do {
        try step(visitor, &random)
      } catch is Disconnected {
        // Harbor stops, or it has refused the connection.
        visitor.drop(resets: false)
        visitor.rest(0.1)
      } catch {
        watchdog.fail("\(part.name): \(error)")
      }
    }
    visitor.drop(resets: false)
  }

  private func step(_ visitor: Visitor, _ random: inout SeededRandom) throws {
    func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &random) == 0 }
    // In other worlds, people fill more than one page of the board.
    let fills = kind != .six && visitor.plans < Self.plans
    let cards = try visitor.reload(page: kind != .six && chance(4) ? 2 : 1)
    if kind == .six ? cards.count < 6 : fills && chance(5) { try visitor.create() }
    if let card = cards.randomElement(using: &random) {
      try visitor.toggle(card, cuts: kind != .six && chance(8))
    }
    if kind != .six { try useOtherParts(of: visitor, &random) }
    visitor.rest(kind == .six ? 0.2 : Double.random(in: 0...0.3, using: &random))
    if chance(3) { visitor.drop(resets: chance(2)) }
  }

  private func useOtherParts(of visitor: Visitor, _ random: inout SeededRandom) throws {
    switch Int.random(in: 0..<16, using: &random) {
    case 0: try visitor.act("search", ["text": "Plan"])
    case 1: try visitor.act("clearSearch")
    case 2: try visitor.upload(cuts: Bool.random(using: &random))
    case 3: try visitor.act("visit", ["address": "/people"], cuts: Bool.random(using: &random))
    case 4: try visitor.act("openComposer")
    case 5: try visitor.act("startNaming", cuts: true)
    case 6 where kind != .accounts: try visitor.awaitChange()
    case 7 where kind == .accounts: try visitor.act("signOut", cuts: Bool.random(using: &random))
    case 8, 9, 10: if kind == .accounts { try visitor.act("useLocalAccount") }
    case 11 where kind == .accounts: try visitor.foundGroup()
    case 12, 13:
      guard kind == .accounts else { break }
      try visitor.switchGroup(cuts: Bool.random(using: &random), &random)
    default: break
    }
  }
}

/// Waits for a number of threads.
private final class RunningThreads: Sendable {
  private let left: Mutex<Int>
  init(_ count: Int) { left = Mutex(count) }
  func end() { left.withLock { $0 -= 1 } }
  func wait() { while left.withLock({ $0 > 0 }) { Thread.sleep(forTimeInterval: 0.1) } }
}
