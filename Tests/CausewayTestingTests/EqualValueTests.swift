import Causeway
import Testing

@testable import CausewayTesting

/// The equality of assertions.
struct EqualValueTests {
  struct Gauge: Equatable {
    var ratio = Double.nan
    var list: [Float] = [1, .nan]
    var part: Double? = .nan
    var named = ["a": Double.nan, "b": 1]
    var phase = Phase.measured(.nan)
    var other = 0
    var tags: Set<String> = []
    var hidden = Hidden()
  }

  enum Phase: Equatable {
    case idle, measured(Double)
  }

  struct Hidden: Equatable, CustomReflectable {
    var number = 0
    var customMirror: Mirror { Mirror(self, children: []) }
  }

  private func isEqual(_ change: (inout Gauge) -> Void) -> Bool {
    var changed = Gauge()
    change(&changed)
    return SameValue.isEqual(Gauge(), changed)
  }

  @Test func `a number that is not a number equals itself, and no other number`() {
    #expect(isEqual { _ in })
    #expect(!isEqual { $0.ratio = 1 })
    #expect(!isEqual { $0.list = [1, 2] })
    #expect(!isEqual { $0.list = [1, .nan, .nan] })
    #expect(!isEqual { $0.part = nil })
    #expect(!isEqual { $0.named["a"] = 1 })
    #expect(!isEqual { $0.phase = .idle })
    #expect(!isEqual { $0.other = 1 })
  }

  @Test func `values with differences that no report shows are different`() {
    let long = String(repeating: "k", count: 500)
    #expect(!isEqual { $0.named["c"] = .nan })
    #expect(
      !SameValue.isEqual([long + "a": Double.nan], [long + "b": Double.nan]))
    #expect(SameValue.isEqual([long + "a": Double.nan], [long + "a": Double.nan]))
    #expect(!isEqual { $0.tags = ["a"] })
    #expect(!isEqual { $0.hidden.number = 1 })
  }
}
