import CausewayData
import CausewaySQLite
import CausewaySimulation
import Foundation
import Testing

/// The bugs that a simulation must find.
enum PlantedBug: String, CaseIterable, Sendable {
  case acknowledgesBeforeCommit
  case storesKeyWithoutMutation
  case storesCursorBeforeRows
  case ignoresEpochAfterLogout
  case retriesWithoutKey
  case dropsOverlayOnRead
  case omitsSyncBeforeRename
  case wipeForgetsFile
  case losesWakeup
  case losesUpdateInActor
  case keepsStaleRefresh
  case losesHintAtReconnect

  /// Simulates the program of the bug.
  ///
  /// - Parameter isPlanted: Whether the program has the bug.
  func simulate(_ seeds: Range<UInt64>, isPlanted: Bool) throws {
    var board = Board(duration: .seconds(100))
    switch self {
    case .acknowledgesBeforeCommit:
      board.serverBug = isPlanted ? .answersBeforeCommit : nil
      // Some seeds have the slow disk that this bug needs, and the crashes.
      board.isSwarm = true
    case .storesKeyWithoutMutation: board.serverBug = isPlanted ? .storesKeyLater : nil
    case .storesCursorBeforeRows:
      if isPlanted { board.wrap = { SplitPersistence(base: $0, bug: .cursorBeforeRows) } }
    case .retriesWithoutKey: board.sourceBug = isPlanted ? .forgetsKey : nil
    case .dropsOverlayOnRead:
      if isPlanted { board.wrap = { SplitPersistence(base: $0, bug: .dropsOverlay) } }
    case .losesHintAtReconnect:
      board.usesHints = true
      board.sourceBug = isPlanted ? .missesChangesWhileDisconnected : nil
    case .ignoresEpochAfterLogout:
      try LogoutWorld(bug: isPlanted ? .ignoresEpoch : nil).simulate(seeds, shrinks: 0)
      return
    case .wipeForgetsFile:
      try LogoutWorld(bug: isPlanted ? .forgetsStore : nil).simulate(seeds, shrinks: 0)
      return
    case .omitsSyncBeforeRename: return try SmallPrograms.tokens(seeds, omitsSync: isPlanted)
    case .losesWakeup: return try SmallPrograms.queue(seeds, losesWakeups: isPlanted)
    case .losesUpdateInActor: return try SmallPrograms.account(seeds, losesUpdates: isPlanted)
    case .keepsStaleRefresh: return try SmallPrograms.refreshes(seeds, keepsStale: isPlanted)
    }
    try board.simulate(seeds, shrinks: 0)
  }
}

@Suite struct PlantedBugTests {
  @Test(arguments: PlantedBug.allCases)
  func `a planted bug is found within a thousand seeds`(bug: PlantedBug) throws {
    let failure = #expect(throws: SimulationFailure.self) {
      try bug.simulate(0..<1_000, isPlanted: true)
    }
    #expect(failure?.isDeterministic == true, "\(failure?.difference ?? "")")
  }

  @Test(arguments: PlantedBug.allCases)
  func `nothing is found without the bug`(bug: PlantedBug) throws {
    try bug.simulate(0..<3, isPlanted: false)
  }
}
