import CausewayData
import Testing

@testable import CausewaySQLite

@Suite struct RowLogTests {
  @Test func `A mark counts a commit only when every later snapshot contains it`() {
    let log = RowLog()
    let first = log.mark("boat")
    log.add(keys: [], of: "boat")
    let changed = ChangedRows()
    changed.reset(isRecording: true)
    log.beginWriting()
    log.add(.tables(["boat"]), changed)
    // A query that runs now may have a snapshot from before the commit.
    #expect(log.mark("boat") == first)
    log.endWriting()
    #expect(log.mark("boat") == first + 1)
  }
}
