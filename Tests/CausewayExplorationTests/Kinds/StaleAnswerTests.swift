import Testing

@testable import CausewayExploration

private struct Server {
  func find(_ text: String) async -> String {
    await Task.yield()
    return "results of \(text)"
  }
}

@MainActor private final class Search {
  private(set) var text = ""
  private(set) var results = ""
  private let server = Server()
  private let isMended: Bool

  init(isMended: Bool) { self.isMended = isMended }

  func search(_ text: String) async {
    self.text = text
    let found = await server.find(text)
    if isMended, self.text != text { return }
    results = found
  }
}

private func body(isMended: Bool) -> @Sendable () async throws -> Void {
  { @MainActor in
    let search = Search(isMended: isMended)
    let first = Task { await search.search("s") }
    let second = Task { await search.search("sw") }
    _ = await (first.value, second.value)
    try require(search.results == "results of \(search.text)", "an old answer: \(search.results)")
  }
}

struct StaleAnswerTests {
  @Test func `an older answer that replaces a newer one is found`() {
    let orders = explore(body(isMended: false))
    #expect("\(orders)".contains("an old answer: results of s"), "\(orders)")
    #expect(orders.trials < 200)
  }

  @Test func `an answer that is compared with the question passes`() {
    let orders = explore(trials: 2_000, body(isMended: true))
    #expect(orders.failure == nil, "\(orders)")
  }

  @Test func `a slower answer is found if durations are lower bounds`() {
    let body: @Sendable () async throws -> Void = { @MainActor in
      var shown = 0
      let first = Task {
        try await Task.sleep(for: .milliseconds(10))
        shown = 1
      }
      let second = Task {
        try await Task.sleep(for: .milliseconds(20))
        shown = 2
      }
      _ = try await (first.value, second.value)
      try require(shown == 2, "the first answer came last")
    }
    #expect(explore(body).failure == nil)
    #expect(explore(hasLateTimers: true, body).failure?.reason.contains("came last") == true)
  }
}
