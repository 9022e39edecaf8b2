import Causeway
import CausewayTesting
import TestSupport
import Testing

/// Loads two lists concurrently, and follows a stream.
private struct Page: Interactor {
  struct State: Sendable, Equatable {
    var posts: [String] = []
    var people: [String] = []
    var news = 0
  }

  enum Action: Sendable, Equatable {
    case appear
    case follow
    case peopleLoaded([String])

    var peopleLoaded: [String]? {
      if case .peopleLoaded(let people) = self { people } else { nil }
    }
  }

  let news: AsyncStream<Int>

  init(news: AsyncStream<Int> = AsyncStream { $0.finish() }) {
    self.news = news
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [news] state, action in
      switch action {
      case .appear:
        return .merge(
          .perform(id: "posts") { send in
            await send { $0.posts = ["a"] }
            await send { $0.posts = ["a", "b"] }
          },
          .perform(id: "people") { send in
            await send(.peopleLoaded(["Ada"]))
          })
      case .follow:
        return .perform { send in
          for await number in news { await send { $0.news += number } }
        }
      case .peopleLoaded(let people):
        state.people = people
        return .state
      }
    }
  }
}

@MainActor
@Suite struct `Assertions of a test model` {
  private let failures = Log<String>()

  private func model(
    _ page: Page = Page(), _ exhaustivity: Exhaustivity = .on, seed: UInt64 = 0
  ) -> TestModel<Page.State, Page.Action> {
    TestModel(
      page, exhaustivity: exhaustivity, seed: seed,
      reporter: FailureReporter { [failures] message, _ in failures.append(message) })
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `steps of merged effects are asserted in any order`(seed: UInt64) async {
    let model = model(seed: seed)
    await model.send(.appear)
    await model.expect(from: "posts") { $0.posts = ["a"] }
    await model.receive(\.peopleLoaded, from: "people") { $0.people = ["Ada"] }
    await model.expect(from: "posts") { $0.posts = ["a", "b"] }
    await model.finish()
    #expect(failures.all == [])
  }

  @Test(arguments: [Exhaustivity.on, .off])
  func `a step of another effect does not count`(exhaustivity: Exhaustivity) async {
    let model = model(Page(), exhaustivity)
    await model.send(.appear)
    await model.expect(from: "news") { $0.news = 1 }
    await model.expect(from: "people") { $0.people = ["Ada"] }
    #expect(failures.all.count == 2)
    #expect(failures.all[0].hasPrefix("Expected an update from effect news, but nothing came."))
    var search = "the next step is"
    if case .off = exhaustivity { search = "no stored step matches. The next step is" }
    #expect(
      failures.all[1] == """
        Expected an update from effect people, but \(search): the action \
        peopleLoaded(["Ada"]) from effect people #2, people[0]: – → "Ada"
        """)
    await model.skipSteps()
    await model.finish()
    #expect(failures.all.count == 2)
  }

  @Test func `a non-exhaustive test skips only steps of the named effect`() async {
    let model = model(Page(), .off)
    await model.send(.appear)
    await model.expect(from: "posts") { $0.posts = ["a", "b"] }
    await model.receive(.peopleLoaded(["Ada"]))
    await model.finish()
    #expect(failures.all == [])
  }

  @Test func `an action can be required to end or to be cancelled`() async {
    let (news, continuation) = AsyncStream.makeStream(of: Int.self)
    let model = model(Page(news: news))
    let following = await model.send(.follow)
    continuation.yield(1)
    await model.expect { $0.news = 1 }
    await following.finish()
    #expect(failures.all.count == 1)
    #expect(
      failures.all[0].hasPrefix("The action follow started effects that have not ended. These"))
    #expect(failures.all[0].contains("effect #1 of follow is suspended outside the test's control"))
    await following.cancel()
    await following.finish()
    #expect(model.runningEffects.isEmpty)
    continuation.yield(1)
    await model.send(.appear)
    await model.skipSteps()
    await model.finish()
    #expect(failures.all.count == 1)
  }

  @Test func `a test can read the ids of running effects`() async {
    let (news, continuation) = AsyncStream.makeStream(of: Int.self)
    let model = TestModel(
      Interact(initialValue: 0) { (_: inout Int, id: String) in
        .perform(id: EffectID(id)) { _ in for await _ in news {} }
      })
    await model.send("a")
    await model.send("b")
    #expect(model.runningEffects.map(\.id) == ["a", "b"])
    continuation.finish()
    await model.finish()
  }

  @Test func `strict skipping fails when there is no step to skip`() async {
    let model = model()
    await model.skipSteps()
    await model.send(.appear)
    await model.skipSteps(strict: true)
    #expect(failures.all == [])
    await model.skipSteps(strict: true)
    #expect(failures.all.count == 1)
    #expect(failures.all.first?.hasPrefix("There are no steps to skip.") == true)
    await model.finish()
  }
}
