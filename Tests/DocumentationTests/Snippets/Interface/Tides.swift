import Causeway
import CausewayTesting
import Testing

// snippet
protocol TideTable: Sendable {
  func height(at hour: Int) async throws -> Double
}

extension ProvidedKey<any TideTable> {
  static var tideTable: Self { ProvidedKey("tideTable", default: PrintedTideTable()) }
}

struct TideGauge: Interactor {
  struct State: Equatable, Sendable {
    var height: Double?
  }

  enum Action: Sendable {
    case read(hour: Int)
  }

  var body: some InteractorOf<Self> {
    InteractWithValues(initialValue: State()) { _, action, values in
      switch action {
      case .read(let hour):
        return .perform { send in
          let height = try await values[.tideTable].height(at: hour)
          await send { $0.height = height }
        }
      }
    }
  }
}
// end

struct PrintedTideTable: TideTable {
  func height(at hour: Int) async throws -> Double { 1.5 }
}

struct FlatSea: TideTable {
  func height(at hour: Int) async throws -> Double { 0 }
}

@MainActor struct TideGaugeTests {
  // snippet
  @Test func `the gauge shows the height of the hour`() async {
    let model = TestModel(TideGauge().providing(.tideTable, FlatSea()))
    await model.send(.read(hour: 7))
    await model.expect { $0.height = 0 }
    await model.finish()
  }
  // end

  @Test func `an app needs no provider`() async {
    let model = ViewModel(TideGauge())
    await model.send(.read(hour: 7)).finish()
    #expect(model.height == 1.5)
  }

  @Test func `a view model can log its steps`() {
    // snippet
    let model = ViewModel(
      TideGauge(), observer: .systemLog("tides", subsystem: "com.example.harbour"))
    // end
    #expect(model.height == nil)
  }
}
