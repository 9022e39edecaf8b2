import Causeway

struct Counter: Interactor {
  var body: some Interactor<Int, Int> {
    Interact(initialValue: 0) { count, step in
      count += step
      return .state
    }
  }
}

let counter = ViewModel(Counter())
counter.send(3)
print(counter.viewState)
