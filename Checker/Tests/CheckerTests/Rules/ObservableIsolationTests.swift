import Testing

@testable import causeway

struct ObservableIsolationTests {
  static let fixtures = [
    Fixture(
      ObservableIsolation.self, "state of the UI without isolation",
      """
      import SwiftUI
      final class 1️⃣Feed: ObservableObject { @Published var items: [Int] = [] }
      @Observable class 2️⃣Profile { var name = "" }
      @Observable class 3️⃣Counter { private(set) var count = 0 }
      """),
    Fixture(
      ObservableIsolation.self, "private state that the UI reads through another property",
      """
      import SwiftUI
      @Observable class 1️⃣Feed {
        private var storage: [Int] = []
        var items: [Int] { storage }
        func refresh() async { storage = await load() }
      }
      @Observable class 2️⃣Profile { fileprivate var name = "" }
      @Observable class 3️⃣Weather { var condition = WeatherCondition.sunny }
      @Observable class Hidden {
        private var storage: [Int] = []
        @MainActor var items: [Int] { storage }
        private var count: Int { storage.count }
      }
      """),
    Fixture(
      ObservableIsolation.self, "unknown default isolation",
      """
      import SwiftUI
      final class Feed: ObservableObject { @Published var items: [Int] = [] }
      """
    ) { $0.defaultIsolation = .unknown },
    Fixture(
      ObservableIsolation.self, "a main-actor class",
      """
      import SwiftUI
      @MainActor final class Feed: ObservableObject { @Published var items: [Int] = [] }
      """),
    Fixture(
      ObservableIsolation.self, "default isolation",
      """
      import SwiftUI
      final class Feed: ObservableObject { @Published var items: [Int] = [] }
      """
    ) { $0.defaultIsolation = .mainActor },
    Fixture(
      ObservableIsolation.self, "no file uses the UI",
      "final class Feed: ObservableObject { @Published var items: [Int] = [] }"),
    Fixture(
      ObservableIsolation.self, "isolated properties",
      """
      import SwiftUI
      @Observable class Feed { @MainActor var items: [Int] = []; @ObservationIgnored var x = 1 }
      """),
    Fixture(
      ObservableIsolation.self, "state that the UI cannot read",
      """
      import AppKit
      @Observable final class Activation {
        private var count = 0
        func retain() { count += 1 }
      }
      """),
    Fixture(
      ObservableIsolation.self, "constants only",
      "import SwiftUI\n@Observable class Feed { let items: [Int] = [] }"),
    Fixture(
      ObservableIsolation.self, "explicitly nonisolated",
      "import SwiftUI\nnonisolated final class Feed: ObservableObject { @Published var x = 1 }"),
  ]

  @Test(arguments: fixtures)
  func `observable-isolation reports at the markers`(fixture: Fixture) { fixture.verify() }
}
