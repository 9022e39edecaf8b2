import Causeway
import CausewayInspector
import Foundation

extension Bench {
  /// Measures what an inspector costs on the main actor; values are rendered elsewhere.
  mutating func measureInspector() throws {
    // This comes first, because the rendering of the other steps allocates too.
    let alone = ViewModel(Form())
    let none = ViewModel(Form(), observer: .inspected(by: nil))
    measure(
      "send, an inspector that is nil", target: "<= 1.0 x floor, 0 allocations",
      operations: 1_000_000, mayAllocate: false,
      floor: { for index in 0..<$0 { alone.send(.set(index)) } },
      work: { for index in 0..<$0 { none.send(.set(index)) } })
    // Fewer steps in all than may wait for the rendering.
    let count = 300
    let inspector = try Inspector()
    let plain = ViewModel(Form(), observer: StepObserver { _ in })
    let model = ViewModel(Form(), observer: .inspected(by: inspector))
    measure(
      "step, inspected", target: "<= 3 us", operations: count,
      floor: { for index in 0..<$0 { plain.send(.set(index)) } },
      work: { for index in 0..<$0 { model.send(.set(index)) } })
    let file = FileManager.default.temporaryDirectory.appending(path: "bench-\(getpid()).ring")
    defer { try? FileManager.default.removeItem(at: file) }
    let ring = try Inspector(ringFile: file.path)
    let kept = ViewModel(Form(), observer: .inspected(by: ring))
    measure(
      "step, inspected, with a ring", target: "<= 10 us", operations: count,
      floor: { for index in 0..<$0 { plain.send(.set(index)) } },
      work: { for index in 0..<$0 { kept.send(.set(index)) } })
  }
}
