import Causeway
import Observation

/// A plain observable property.
@MainActor
@Observable
final class PlainCounter {
  var count = 0
}

/// Plain observable properties.
@MainActor
@Observable
final class PlainForm {
  var count = 0
  var other = 0
  var name = ""
  var flag = false
  var size = 0.0
  var items = Array(0..<1_000)
}

/// Plain observable rows.
@MainActor
@Observable
final class PlainRows {
  var rows = IdentifiedArray(uniqueElements: (0..<100).map { Leaf.State(id: $0) })
}

/// A feature with a hundred fields, each with its own key path.
struct Wide: Interactor {
  struct Ten: Sendable {
    var a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0
  }

  struct State: Sendable {
    var a = Ten(), b = Ten(), c = Ten(), d = Ten(), e = Ten()
    var f = Ten(), g = Ten(), h = Ten(), i = Ten(), j = Ten()
  }

  static let tens: [KeyPath<State, Ten>] = [
    \.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h, \.i, \.j,
  ]
  static let ones: [KeyPath<Ten, Int>] = [\.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h, \.i, \.j]

  var body: some Interactor<State, Int> {
    Interact(initialValue: State()) { state, action in
      state.e.e = action
      return .state
    }
  }
}

extension Bench {
  mutating func measureObservation() {
    let plain = PlainCounter()
    let model = ViewModel(Form())
    measure(
      "send, one observed key path, re-armed each time", target: "<= 1.0 x floor",
      operations: 100_000
    ) {
      for _ in 0..<$0 {
        withObservationTracking {
          _ = plain.count
        } onChange: {
        }
        plain.count += 1
      }
    } work: {
      for _ in 0..<$0 {
        withObservationTracking {
          _ = model.count
        } onChange: {
        }
        model.send(.increment)
      }
    }
    measureFive()
    measureWide()
  }

  /// Measures an observer that reads five properties when one of them changes.
  ///
  /// An `@Observable` class has one registrar, so a tracking has one entry for all five properties.
  /// A view model has a registrar for each path that was read, and a tracking has five entries.
  private mutating func measureFive() {
    let plain = PlainForm()
    let model = ViewModel(Form())
    measure(
      "send, five observed paths, one changes, all read again", target: "<= 1.0 x floor",
      operations: 100_000
    ) {
      for _ in 0..<$0 {
        withObservationTracking {
          _ = (plain.count, plain.other, plain.name, plain.flag, plain.size)
        } onChange: {
        }
        plain.count += 1
      }
    } work: {
      for _ in 0..<$0 {
        withObservationTracking {
          _ = (model.count, model.other, model.name, model.flag, model.size)
        } onChange: {
        }
        model.send(.increment)
      }
    }
  }

  private mutating func measureWide() {
    let model = ViewModel(Wide())
    let paths = Wide.tens.flatMap { ten in Wide.ones.map { ten.appending(path: $0) } }
    let changing = \Wide.State.e.e
    for path in paths where path != changing {
      withObservationTracking {
        _ = model[dynamicMember: path]
      } onChange: {
      }
    }
    var value = 0
    measure(
      "send, 100 key paths observed, one changes and is re-armed", target: "<= 2 µs",
      operations: 100_000
    ) {
      for _ in 0..<$0 {
        withObservationTracking {
          _ = model[dynamicMember: changing]
        } onChange: {
        }
        value += 1
        model.send(value)
      }
    }
    measure(
      "send, 99 key paths observed, none changes", target: "<= 2 µs", operations: 100_000,
      mayAllocate: false
    ) {
      for _ in 0..<$0 {
        value += 1
        model.send(value)
      }
    }
  }
}
