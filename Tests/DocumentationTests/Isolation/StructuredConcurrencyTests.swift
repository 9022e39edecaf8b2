import Causeway
import CausewayTesting
import TestSupport
import Testing

/// The code of the article on structured concurrency, and its claims about tasks.
@Suite(.timeLimit(.minutes(10)))
struct StructuredConcurrencyTests {
  private struct Aground: Error {}

  private enum Place {
    @TaskLocal static var name = "nowhere"
  }

  /// Responds after both requests have arrived.
  private struct PatientService: ConditionsService {
    let asked = Log<String>()

    func wind(at harbour: String) async -> Int {
      asked.append("wind")
      await asked.wait(for: 2)
      return 5
    }

    func tide(at harbour: String) async -> Int {
      asked.append("tide")
      await asked.wait(for: 2)
      return 2
    }
  }

  @Test func `async let runs both requests concurrently`() async throws {
    let found = try await conditions(at: "Kiel", from: PatientService())
    #expect(found == Conditions(wind: 5, tide: 2))
  }

  @MainActor @Test func `an effect waits for both requests and sends one update`() async {
    let model = TestModel(Briefing(service: PatientService()))
    await model.send(.appear("Kiel"))
    await model.expect { $0.conditions = Conditions(wind: 5, tide: 2) }
    await model.finish()
  }

  @Test func `a child task that is not awaited is cancelled and awaited when its scope ends`() async
  {
    let ended = Log<Bool>()
    let gate = Gate()
    func scope() async {
      async let _: Void = {
        await gate.wait()
        ended.append(Task.isCancelled)
      }()
    }
    await scope()
    #expect(ended.all == [true])
  }

  @Test func `a limited group loads everything, but never more than its limit at once`()
    async throws
  {
    let running = Log<Int>()
    let names = (0..<20).map { "\($0)" }
    let loaded = try await loadAll(names, atMost: 3) { name in
      running.append(1)
      await Task.yield()
      running.append(-1)
      return name
    }
    #expect(loaded == Dictionary(uniqueKeysWithValues: names.map { ($0, $0) }))
    let most = running.all.reduce(into: (now: 0, most: 0)) { count, change in
      count.now += change
      count.most = max(count.most, count.now)
    }.most
    #expect((1...3).contains(most))
  }

  @Test func `the first error cancels the other child tasks of a group`() async {
    let gate = Gate()
    let cancelled = Log<Bool>()
    await #expect(throws: Aground.self) {
      try await loadAll(["slow", "bad"], atMost: 2) { name in
        if name == "bad" { throw Aground() }
        await gate.wait()
        cancelled.append(Task.isCancelled)
      }
    }
    #expect(cancelled.all == [true])
  }

  @Test func `a failure handled inside a child task does not affect the other tasks`() async {
    let loaded = await loadWhatIsThere(["a", "bad", "b"]) { name in
      if name == "bad" { throw Aground() }
      return name
    }
    #expect(loaded == ["a": "a", "b": "b"])
  }

  @MainActor @Test
  func `a concurrent function computes on another executor and returns to its caller`() async throws
  {
    let check = ChartCheck()
    try await check.check([1, 2])
    #expect(check.sum == 33)
  }

  @Test func `a concurrent function ends when its caller is cancelled`() async {
    let work = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await checksum(of: [1])
    }
    await #expect(throws: CancellationError.self) { try await work.value }
  }

  @Test func `a detached task loses the task-local values that an unstructured one keeps`() async {
    await Place.$name.withValue("Kiel") {
      let kept = await Task { Place.name }.value
      // Used only to show which values a detached task loses.
      let lost = await Task.detached { Place.name }.value
      #expect(kept == "Kiel")
      #expect(lost == "nowhere")
    }
  }

  @Test func `cancelling a task does not cancel an unstructured task that it started`() async {
    let gate = Gate()
    let inner = Log<Bool>()
    let outer = Task {
      _ = Task {
        await gate.waitUncancellably()
        inner.append(Task.isCancelled)
      }
    }
    outer.cancel()
    await outer.value
    gate.open()
    await inner.wait(for: 1)
    #expect(inner.all == [false])
  }

  private actor Crew {
    private var isHere = false

    func taskIsHere() async -> Bool {
      await Task {
        isHere = true  // uses the actor's state, so the task is on the actor
        return Self.current() === self
      }.value
    }

    func taskWithoutSelfIsSomewhere() async -> Bool {
      await Task { Self.current() != nil }.value
    }

    private static func current(
      _ isolation: isolated (any Actor)? = #isolation
    ) -> (any Actor)? { isolation }
  }

  @Test func `a task in an actor runs on the actor only if it uses the actor`() async {
    #expect(await Crew().taskIsHere())
    #expect(await Crew().taskWithoutSelfIsSomewhere() == false)
  }
}
