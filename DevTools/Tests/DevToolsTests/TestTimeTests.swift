import Testing

@testable import devtools

@Suite(.timeLimit(.minutes(5)))
struct TestTimeTests {
  private func line(_ kind: String, _ test: String, _ second: Double) -> String {
    #"{"kind":"event","payload":{"instant":{"absolute":\#(second),"since1970":0},"kind":"\#(kind)","#
      + #""messages":[],"testID":"\#(test)"},"version":0}"#
  }

  @Test
  func `only events of tests are read`() {
    let test = "Tests.Suite/`a name`()"
    let event = TestEvent(line("testStarted", test + "/File.swift:12:3", 1))
    #expect(event?.test == test)
    #expect(event?.isEnd == false)
    #expect(TestEvent(line("testEnded", test, 2))?.isEnd == true)
    #expect(TestEvent(line("testEnded", "Tests.Suite", 2)) == nil)
    #expect(TestEvent(line("testCaseStarted", test, 2)) == nil)
    #expect(TestEvent("no JSON") == nil)
  }

  @Test
  func `the times of a test are measured between its events`() throws {
    var clock = TestClock(ticksPerSecond: 100)
    let begin = try #require(TestEvent(line("testStarted", "a()", 1.5)))
    let end = try #require(TestEvent(line("testEnded", "a()", 3)))
    clock.add(begin, ticks: 50)
    clock.add(end, ticks: 300)
    #expect(clock.times == [TestTime(test: "a()", processor: 2.5, clock: 1.5)])
    #expect(clock.times.map(\.text) == ["   2.50    1.50  a()"])
    // The process has ended.
    clock.add(begin, ticks: nil)
    clock.add(end, ticks: nil)
    #expect(clock.times.last?.processor == 0)
  }

  @Test
  func `a test with a line in the list may be slow`() {
    let time = TestTime(test: "Tests.Suite/`a name`(width:)", processor: 3, clock: 3)
    #expect(time.isAllowed(by: ["Tests.Suite/`a name` it is long"]))
    #expect(!time.isAllowed(by: ["Tests.Suite/`a name`", "Tests.Suite/`a names` reason"]))
  }
}
