import Foundation
import Testing

/// An app of more than 3,000 lines in the old style, migrated in one run.
struct SampleMigrationTests {
  private static let names = ["Trip", "Recipe", "Invoice", "Track", "Garden"]
  private static let parts = ["List", "Form", "Sync", "Stream", "Settings"]

  private func template(_ name: String) throws -> String {
    try String(
      contentsOfFile: Products.package + "/Tests/CheckerTests/Sample/\(name).txt", encoding: .utf8)
  }

  private func write(_ folder: TemporaryFolder, settings: String) throws {
    try folder.write(
      "Package.swift",
      """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "Sample", platforms: [.macOS(.v15)],
        targets: [
          .target(name: "App"\(settings)),
          .testTarget(name: "AppTests", dependencies: ["App"]),
        ])

      """)
  }

  private func build(_ folder: TemporaryFolder) throws -> (status: Int32, problems: [String]) {
    let result = try run(
      "/usr/bin/env",
      ["swift", "build", "--build-tests", "-debug-info-format", "none", "-j", "2"], in: folder.path)
    let problems = result.output.split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix("/") && $0.contains(": warning:") || $0.contains("error:") }
    return (result.status, problems)
  }

  @Test func `The migrated app builds without new warnings, and its tests pass`() throws {
    try TemporaryFolder.with { folder in
      try write(folder, settings: "")
      var lines = 0
      try folder.write("Sources/App/Shared.swift", template("Shared"))
      for name in SampleMigrationTests.names {
        for part in SampleMigrationTests.parts {
          let text = try template(part).replacingOccurrences(of: "$N", with: name)
          lines += text.split(separator: "\n", omittingEmptySubsequences: false).count
          try folder.write("Sources/App/\(name)/\(name)\(part).swift", text)
        }
        try folder.write(
          "Tests/AppTests/\(name)Tests.swift",
          template("Tests").replacingOccurrences(of: "$N", with: name))
      }
      #expect(lines > 3_000)
      let before = try build(folder)
      #expect(before.status == 0 && before.problems.isEmpty, "\(before.problems)")

      let migration = try causeway(
        "migrate", "--default-isolation", "MainActor", "Sources/App", in: folder.path)
      #expect(migration.status == 0 && !migration.output.contains("There is no index"))

      try write(folder, settings: ", swiftSettings: [.defaultIsolation(MainActor.self)]")
      let after = try build(folder)
      #expect(after.status == 0 && after.problems.isEmpty, "\(after.problems)")
      let tests = try run(
        "/usr/bin/env",
        ["swift", "test", "--skip-build", "--disable-xctest", "-debug-info-format", "none"],
        in: folder.path)
      #expect(tests.status == 0, "\(tests.output.suffix(2_000))")

      // Redundant annotations are gone. Declarations that other isolations use are nonisolated.
      let list = try folder.read("Sources/App/Trip/TripList.swift")
      #expect(!list.contains("@MainActor"))
      #expect(list.contains("nonisolated struct TripStatistics"))
      #expect(list.contains("\nstruct TripRow: Equatable"))
      let sync = try folder.read("Sources/App/Trip/TripSync.swift")
      #expect(sync.contains("nonisolated func compressTrip"))
      #expect(sync.contains("@MainActor TripStatusDisplaying"))
    }
  }
}
