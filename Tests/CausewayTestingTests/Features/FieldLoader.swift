import Causeway
import CausewayTesting

/// Effects that wait and then change a field: each its own field, or all the same field.
struct FieldLoader: Interactor {
  let isShared: Bool
  let suspensions: Int

  /// A negative number starts that many effects; another number starts one.
  var body: some Interactor<[Int], Int> {
    Interact(initialValue: [0, 0, 0]) { (_: inout [Int], number: Int) in
      number < 0 ? .merge((0..<(-number)).map { load($0) }) : load(number)
    }
  }

  private func load(_ number: Int) -> Emission<[Int], Int> {
    .perform(id: "load \(number)") { [isShared, suspensions] send in
      for _ in 0..<suspensions { await suspensionPoint() }
      await send { state in
        let field = isShared ? 0 : number
        state[field] = state[field] * 3 + number + 1
      }
    }
  }
}
