import Testing

@testable import causeway

struct PreconcurrencyConformanceTests {
  static let fixtures = [
    Fixture(
      PreconcurrencyConformance.self, "main-actor types",
      """
      @MainActor final class Player: 1️⃣@preconcurrency Equatable {}
      @MainActor final class Page {}
      extension Page: 2️⃣@preconcurrency PageDelegate {}
      """),
    Fixture(
      PreconcurrencyConformance.self, "an isolated conformance",
      "@MainActor final class Player: @MainActor Equatable {}"),
    Fixture(
      PreconcurrencyConformance.self, "a type without isolation",
      "final class Player: @preconcurrency PlayerDelegate {}"),
    Fixture(
      PreconcurrencyConformance.self, "a protocol that refines Sendable",
      """
      protocol Service: Sendable {}
      @MainActor final class Player: @preconcurrency Service, @preconcurrency CodingKey {}
      """),
    Fixture(
      PreconcurrencyConformance.self, "delegates of URLSession, which refine Sendable",
      """
      @MainActor final class Loader: NSObject {}
      extension Loader: @preconcurrency URLSessionDelegate {}
      extension Loader: @preconcurrency URLSessionTaskDelegate {}
      extension Loader: @preconcurrency URLSessionDataDelegate {}
      extension Loader: @preconcurrency URLSessionWebSocketDelegate {}
      protocol Downloading: URLSessionDownloadDelegate {}
      extension Loader: @preconcurrency Downloading {}
      """),
    Fixture(
      PreconcurrencyConformance.self, "delegates that do not refine Sendable",
      """
      @MainActor final class Loader: NSObject {}
      extension Loader: 1️⃣@preconcurrency XMLParserDelegate {}
      protocol Loading: AnyObject {}
      extension Loader: 2️⃣@preconcurrency Loading {}
      """),
    Fixture(
      PreconcurrencyConformance.self, "an extension with nonisolated members",
      """
      @MainActor final class Place {}
      extension Place: @preconcurrency PlaceDelegate {
        nonisolated func place(_ place: Place, didMove: Bool) {}
        public nonisolated var name: String { "" }
      }
      """),
    Fixture(
      PreconcurrencyConformance.self, "Swift 5 mode",
      "@MainActor final class Player: @preconcurrency Equatable {}"
    ) { $0.languageMode = 5 },
  ]

  @Test(arguments: fixtures)
  func `preconcurrency-conformance reports at the markers`(fixture: Fixture) { fixture.verify() }
}
