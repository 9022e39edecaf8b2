import Causeway
import CausewayFoundation
import CausewayTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// Reads every value of Foundation in its handler, and identifiers in effects.
private struct Reader: Interactor {
  struct State: Equatable, Sendable {
    var date: Date?
    var calendar: Calendar?
    var ids: [UUID] = []
    var numbers: [Int] = []
  }

  enum Action: Sendable {
    case read
    case readInEffects
  }

  var body: some InteractorOf<Self> {
    InteractWithValues(initialValue: State()) { state, action, values in
      switch action {
      case .read:
        state.date = values[.date]()
        state.calendar = values[.calendar]
        state.ids.append(values[.uuid]())
        var numbers = values[.random]
        state.numbers.append(Int.random(in: 0..<1_000_000, using: &numbers))
        return .state
      case .readInEffects:
        let work: Emission<State, Action>.EffectWork = { send in
          let id = values[.uuid]()
          await send { $0.ids.append(id) }
        }
        return .merge(.perform(work), .perform(work), .perform(work))
      }
    }
  }
}

@MainActor
struct FoundationValuesTests {
  @Test func `a test has fixed dates and calendars, and the ids and numbers of its own sequences`()
    async throws
  {
    var numbers = RandomNumbers(seed: 0)
    let drawn = (0..<2).map { _ in Int.random(in: 0..<1_000_000, using: &numbers) }
    for _ in 0..<2 {
      let model = TestModel(Reader())
      let date = Date(timeIntervalSinceReferenceDate: 0)
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = .gmt
      calendar.locale = Locale(identifier: "en_US_POSIX")
      await model.send(.read) { [calendar] in
        $0 = Reader.State(
          date: date, calendar: calendar, ids: [UUID(counting: 0)], numbers: [drawn[0]])
      }
      await model.send(.read) {
        $0.ids.append(UUID(counting: 1))
        $0.numbers.append(drawn[1])
      }
      await model.finish()
    }
  }

  @Test func `effects of one test never take the same id`() async {
    let model = TestModel(Reader(), exhaustivity: .off)
    for _ in 0..<20 { await model.send(.readInEffects) }
    await model.finish()
    #expect(Set(model.state.ids) == Set((0..<60).map { UUID(counting: $0) }))
  }

  @Test func `a provided value is used instead of the value for tests`() async {
    let date = Date(timeIntervalSince1970: 5)
    let model = TestModel(
      Reader().providing(.date, { date }).providing(.uuid, UUID.counting(from: 255)),
      exhaustivity: .off)
    await model.send(.read)
    #expect(model.state.date == date)
    #expect(model.state.ids.map(\.uuidString) == ["00000000-0000-0000-0000-0000000000FF"])
    await model.finish()
  }

  @Test func `an app has the values of the system`() {
    let model = ViewModel(Reader())
    let before = Date()
    for _ in 0..<100 { model.send(.read) }
    #expect(model.date.map { $0 >= before && $0 <= Date() } == true)
    #expect(model.calendar == .autoupdatingCurrent)
    #expect(Set(model.ids).count == 100)
    #expect(Set(model.numbers).count > 90)
  }

  @Test func `the copies of random numbers share one sequence`() {
    let one = RandomNumbers(seed: 3)
    let copy = one
    let mixed = (0..<10).map { $0.isMultiple(of: 2) ? one.next() : copy.next() }
    let alone = RandomNumbers(seed: 3)
    #expect(mixed == (0..<10).map { _ in alone.next() })
    #expect(mixed.first != RandomNumbers(seed: 4).next())
  }

  @Test func `a value for tests is made once for each test model`() async {
    for _ in 0..<2 {
      let model = TestModel(CountedReader())
      await model.send(1) { $0 = 1 }
      await model.send(1) { $0 = 2 }
      await model.finish()
    }
  }
}

/// Adds to a counter that is the key's value for tests.
private struct CountedReader: Interactor {
  var body: some Interactor<Int, Int> {
    InteractWithValues(initialValue: 0) { state, step, values in
      let counter = values[.tally]
      counter.value.withLock { $0 += step }
      state = counter.value.withLock { $0 }
      return .state
    }
  }
}

private final class Tally: Sendable {
  let value = Mutex(0)
}

extension ProvidedKey<Tally> {
  fileprivate static var tally: Self {
    ProvidedKey("tally", default: Tally(), inTests: { Tally() })
  }
}
