// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "causeway",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Causeway", targets: ["Causeway"]),
    .library(name: "CausewayData", targets: ["CausewayData"]),
    .library(name: "CausewaySQLite", targets: ["CausewaySQLite"]),
  ],
  targets: [
    // The runtime.
    .target(name: "Causeway"),

    // The data layer and its drivers.
    .target(name: "CausewayData"),
    .target(name: "CausewaySQLite", dependencies: ["CausewayData", "CSQLite"]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),

    // Tests.
    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .executableTarget(name: "StackProbe", dependencies: ["Causeway"], path: "Tests/StackProbe"),
    .testTarget(name: "CausewayTests", dependencies: ["Causeway", "TestSupport", "StackProbe"]),
    // The same sources as a client whose declarations belong to the main actor by default.
    .testTarget(
      name: "CausewayMainActorTests", dependencies: ["Causeway", "TestSupport", "StackProbe"],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    .testTarget(name: "CausewayDataTests", dependencies: ["CausewayData"]),
    .testTarget(name: "CausewaySQLiteTests", dependencies: ["CausewaySQLite", "CSQLite"]),
    .testTarget(name: "DocumentationTests", dependencies: ["Causeway"]),
  ],
  swiftLanguageModes: [.v6]
)

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

for target in package.targets where target.type != .system {
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}
