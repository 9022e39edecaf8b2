import Causeway
import CausewayInspector

extension Bench {
  /// Measures what an inspector costs on the main actor; values are rendered elsewhere.
  mutating func measureInspector() throws {
    // This comes first, because the rendering of the other steps allocates too.
    let none = ViewModel(Form(), observer: .inspected(by: nil))
    measure(
      "send, an inspector that is nil", target: "<= 20 ns, 0 allocations", operations: 1_000_000,
      mayAllocate: false
    ) {
      for index in 0..<$0 { none.send(.set(index)) }
    }
    // Fewer steps in all than may wait for the rendering.
    let count = 300
    let inspector = try Inspector()
    let plain = ViewModel(Form(), observer: StepObserver { _ in })
    let model = ViewModel(Form(), observer: .inspected(by: inspector))
    measure(
      "step, inspected", target: "<= 3 us", operations: count,
      floor: { for index in 0..<$0 { plain.send(.set(index)) } },
      work: { for index in 0..<$0 { model.send(.set(index)) } })
  }
}
