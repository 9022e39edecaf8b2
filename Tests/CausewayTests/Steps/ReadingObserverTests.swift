import Observation
import TestSupport
import Testing

@testable import Causeway

/// Observers and equality functions that read the view model during a publication.
@MainActor
struct ReadingObserverTests {
  /// Reads a value once during the call.
  nonisolated final class Reader: Sendable {
    @MainActor var read: (() -> Void)?

    @MainActor init() {}

    func run() {
      MainActor.assumeIsolated {
        let read = read.take()
        read?()
      }
    }
  }

  /// A value that reads the view model when it is compared.
  nonisolated struct Nosy: Equatable, Sendable {
    let reader: Reader
    var number = 0

    static func == (left: Nosy, right: Nosy) -> Bool {
      left.reader.run()
      return left.number == right.number
    }
  }

  struct Desk: Interactor {
    nonisolated struct State: Sendable {
      var first = 0
      var second = 0
      var nosy: Nosy
      var shown: Int {
        nosy.reader.run()
        return nosy.number
      }
      var fields = Array(repeating: 0, count: 50)
    }

    let reader: Reader

    var body: some Interactor<State, @MainActor @Sendable (inout State) -> Void> {
      Interact(initialValue: State(nosy: Nosy(reader: reader))) { state, change in
        change(&state)
        return .state
      }
    }
  }

  private typealias Model = ViewModel<
    Desk.State, @MainActor @Sendable (inout Desk.State) -> Void
  >

  private let reader = Reader()
  private let told = Log<String>()

  private func makeModel() -> Model { ViewModel(Desk(reader: reader)) }

  private func observe(_ name: String, _ read: () -> Void) {
    withObservationTracking(read) { [told] in told.append(name) }
  }

  @Test(arguments: [true, false], [1, 0])
  func `a part read while other parts are compared is observed`(isComputed: Bool, change: Int) {
    let model = makeModel()
    observe("nosy") { if isComputed { _ = model.shown } else { _ = model.nosy } }
    reader.read = {
      for index in 0..<50 { observe("\(index)") { _ = model[dynamicMember: \.fields[index]] } }
    }
    model.send { $0.nosy = Nosy(reader: $0.nosy.reader, number: change) }
    // The bytes differ, so the values are compared with `==`, which reads the view model.
    model.send { $0.nosy = Nosy(reader: Reader(), number: change) }
    #expect(reader.read == nil)
    #expect(told.all == Array(repeating: "nosy", count: change))
    model.send { for index in 0..<50 { $0.fields[index] = 1 } }
    #expect(Set(told.all).isSuperset(of: (0..<50).map { "\($0)" }))
    #expect(told.all.count == 50 + change)
  }

  /// Reads again when it is notified, and counts the notifications.
  ///
  /// The model keeps the closure, which therefore must not keep the model.
  private func follow(_ name: String, _ read: @escaping @MainActor () -> Void) {
    withObservationTracking(read) {
      MainActor.assumeIsolated {
        told.append(name)
        follow(name, read)
      }
    }
  }

  @Test func `an observer that reads again is notified once per change`() {
    let model = makeModel()
    follow("one") { [weak model] in _ = model?.first }
    for number in 1...5 {
      model.send { $0.first = number }
      #expect(told.all.count == number)
    }
  }

  @Test func `an observer that reads several parts again is notified once per send`() {
    let model = makeModel()
    follow("two") { [weak model] in _ = (model?.first, model?.second) }
    follow("one") { [weak model] in _ = model?.second }
    for number in 1...5 {
      model.send { ($0.first, $0.second) = (number, number) }
      #expect(told.all.count { $0 == "two" } == number)
      #expect(told.all.count { $0 == "one" } == number)
    }
    model.send { $0.second = 0 }
    #expect(told.all.count == 12)
    model.send { $0.first = 0 }
    #expect(told.all.count == 13)
  }

  @Test func `the last view model can be released while its observers are notified`() {
    let log = told
    let holder = Holder()
    holder.model = makeModel()
    withObservationTracking {
      _ = holder.model?.first
    } onChange: {
      MainActor.assumeIsolated {
        holder.model = nil
        log.append("gone")
      }
    }
    observe("second") { _ = holder.model?.second }
    holder.model?.send { ($0.first, $0.second) = (1, 1) }
    #expect(Set(told.all) == ["gone", "second"])
  }

  @MainActor
  private final class Holder {
    var model: Model?
  }
}
