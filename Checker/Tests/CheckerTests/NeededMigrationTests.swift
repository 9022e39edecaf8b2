import Foundation
import Testing

@testable import causeway

/// Each edit of a migration is right: the module builds with it, and does not build without it.
struct NeededMigrationTests {
  /// An app with views, models, a client on an actor and protocols of all kinds.
  private static let app = [
    "Models.swift": """
    import Foundation

    struct Trip: Codable, Identifiable, Hashable, Sendable {
      var id: Int
      var title: String
      var isLong: Bool { title.count > 20 }
    }

    struct Stop: Codable { var name: String }

    struct Draft: Hashable, Sendable { var title = "" }

    enum SyncState: Sendable { case idle, running, failed(String) }

    enum Mode { case online, offline }

    struct Place: Equatable { var name: String }

    struct Route: Equatable, Sendable {
      var places: [Place]
      var tint: Tint
    }

    enum Tint { case red, green }

    struct Fare: Equatable { var price: Int }

    enum Filter: String, CaseIterable, Codable { case all, recent }

    enum TripError: LocalizedError {
      case missing
      var errorDescription: String? { Texts.missing }
    }

    enum Texts { static let missing = "There is no such trip." }

    enum Layout { static let margin = 8 }

    extension Trip {
      var subtitle: String { "Trip \\(id)" }
    }

    extension Trip {
      var row: String { title + subtitle }
    }

    extension String {
      var trimmed: String { trimmingCharacters(in: .whitespaces) }
    }

    extension Int {
      var spelled: String { "\\(self)" }
    }

    struct Leg: Equatable { var length: Int }

    typealias Legs = [Leg]

    extension DefaultStringInterpolation {
      mutating func appendInterpolation(price: Int, currency: String = "EUR") {
        appendLiteral(String(price) + currency)
      }
    }

    extension DefaultStringInterpolation {
      mutating func appendInterpolation(row: Int) { appendLiteral(String(row)) }
    }

    protocol Describing: Sendable {
      var label: String { get }
      func describe() -> String
    }

    extension Describing { func describe() -> String { label } }

    extension Describing { func shortened() -> String { String(label.prefix(3)) } }

    struct Tag: Describing { let label: String }

    struct Stamp: Describing {
      let label: String
      func describe() -> String { "(" + label + ")" }
    }

    """,
    "Client.swift": """
    import Foundation

    protocol Loading: Sendable {}

    protocol TripLoading: Loading {
      func load() async throws -> [Trip]
      var name: String { get }
    }

    struct LiveLoader: TripLoading {
      let host: String
      var name: String { host.trimmed }
      func load() async throws -> [Trip] { throw TripError.missing }
    }

    protocol Logging { func log(_ text: String) }

    struct Printer: Logging { func log(_ text: String) { print(text) } }

    @MainActor protocol Badging { var badge: Int { get } }

    actor Store {
      private var trips: [Int: Trip] = [:]
      private var drafts: [Draft: Date] = [:]
      private var mode = Mode.online
      private var route = Route(places: [], tint: .red)
      private var fare = free()
      private var legs: Legs = []
      private var state = SyncState.idle
      private let loader: any TripLoading
      private let counter = Counter()

      init(loader: any TripLoading) { self.loader = loader }

      func refresh() async throws {
        guard mode == .online else { return }
        state = .running
        for trip in try await loader.load() { trips[trip.id] = trip }
        counter.increase()
        note(loader.name + "\\(trips.values.map(\\.subtitle))", Printer())
      }

      func note(_ text: String, _ log: some Logging) { log.log(text) }

      func export() throws -> [Data] { try trips.values.map { try export($0) } }

      func export(_ trip: Trip) throws -> Data { try JSONEncoder().encode(trip) }

      func follow(_ next: Route) { if next != route { route = next } }

      func follow(_ next: Legs) -> Bool { legs == next }

      func text(_ price: Int) -> String { "It costs \\(price: price)." }

      func announce(_ value: some Describing) -> String { value.describe() }

      func isFree(_ other: Fare) -> Bool { other == fare }

      func keep(_ draft: Draft) { drafts[draft] = Date() }

      func isRunning() -> Bool { if case .running = state { true } else { false } }
    }

    final class Counter {
      private var value = 0
      func increase() { value += step() }
    }

    func step() -> Int { 1 }
    func free() -> Fare { Fare(price: 0) }
    func width() -> Int { Layout.margin }

    """,
    "Views.swift": """
    import SwiftUI

    struct TripRow: View, Equatable {
      let trip: Trip
      var body: some View { Text(trip.row).padded() }
    }

    struct TripList: View {
      let model: TripListModel
      var body: some View {
        VStack {
          Text(model.filter.rawValue + 3.spelled + "\\(row: 1)" + Tag(label: "a").shortened())
          ForEach(model.trips) { TripRow(trip: $0) }
          Button("Refresh") { model.refresh() }
        }
      }
    }

    extension View { func padded() -> some View { self } }

    extension TripList { var columns: Int { width() } }

    @MainActor final class TripListModel: Badging {
      @MainActor var trips: [Trip] = []
      var filter = Filter.all
      var stops: [Stop] = []
      var badge: Int { trips.count }
      private let store: Store

      init(store: Store) { self.store = store }

      func refresh() {
        Task { @MainActor in
          try await store.refresh()
          stops.append(Stop(name: "A"))
        }
      }
    }

    """,
  ]

  private func write(_ folder: TemporaryFolder) throws {
    for (name, text) in NeededMigrationTests.app { try folder.write("App/" + name, text) }
    let declarations = URL(fileURLWithPath: Products.package).deletingLastPathComponent()
      .appendingPathComponent("Examples/SwiftUI/Sources/SwiftUI").path
    let names = try FileManager.default.contentsOfDirectory(atPath: declarations)
    let compiled = try run(
      "/usr/bin/env",
      [
        "swiftc", "-swift-version", "6", "-parse-as-library", "-emit-module", "-module-name",
        "SwiftUI", "-o", folder.path("SwiftUI.swiftmodule"),
      ] + names.sorted().filter { $0.hasSuffix(".swift") }.map { declarations + "/" + $0 })
    #expect(compiled.status == 0, "\(compiled.output)")
  }

  /// Compiles the files of the app; returns the warnings and errors.
  private func compile(
    _ texts: [String: String], _ options: [String], in folder: TemporaryFolder
  ) throws -> [String] {
    for (name, text) in texts { try folder.write("App/" + name, text) }
    let result = try run(
      "/usr/bin/env",
      ["swiftc", "-swift-version", "6", "-parse-as-library", "-module-name", "App", "-I", "."]
        + options + texts.keys.sorted().map { "App/" + $0 }, in: folder.path)
    let problems = result.output.split(separator: "\n").map(String.init)
      .filter { $0.contains(": error: ") || $0.contains(": warning: ") }
    // A wrong option of the compiler must not look like an error in the code.
    try #require((result.status == 0) == !problems.contains { $0.contains(": error: ") })
    return problems
  }

  @Test func `The compiler accepts all edits to a module with SwiftUI, and needs each of them`()
    throws
  {
    try TemporaryFolder.with { folder in
      try write(folder)
      let indexed = try compile(
        NeededMigrationTests.app,
        ["-c", "-index-store-path", "index"], in: folder)
      #expect(indexed == [])
      let migration = try causeway(
        "migrate", "--default-isolation", "MainActor", "--index-store", "index", "App",
        in: folder.path)
      #expect(migration.status == 0, "\(migration.output)")
      var texts: [String: String] = [:]
      for name in NeededMigrationTests.app.keys { texts[name] = try folder.read("App/" + name) }
      let isolated = [
        "-wmo", "-emit-sil", "-o", "/dev/null", "-default-isolation", "MainActor",
      ]
      let accepted = try compile(texts, isolated, in: folder)
      #expect(accepted == [], "\(texts["Models.swift"] ?? "")\(texts["Client.swift"] ?? "")")

      var count = 0
      for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
        #expect(!text.contains("@MainActor"), "\(name)")
        for range in text.ranges(of: "nonisolated ") {
          count += 1
          var without = texts
          without[name]?.removeSubrange(range)
          let line = text[range.lowerBound...].prefix { $0 != "\n" }
          let rejected = try compile(without, isolated, in: folder)
          #expect(rejected != [], "not needed: \(line)")
        }
      }
      #expect(count > 8)
      #expect(texts["Views.swift"]?.contains("nonisolated") == false)
    }
  }
}
