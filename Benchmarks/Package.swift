// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS("15.4")],
  dependencies: [.package(name: "causeway", path: "..")],
  targets: [
    .target(name: "CAllocations"),
    .target(name: "CSQLiteFloor", linkerSettings: [.linkedLibrary("sqlite3")]),
    // Features in a separate module, as in an app: another module sends to them.
    .target(
      name: "ClientFeatures",
      dependencies: [.product(name: "Causeway", package: "causeway")],
      swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CAllocations", "ClientFeatures", .product(name: "Causeway", package: "causeway"),
        .product(name: "CausewayInspector", package: "causeway"),
      ]),
    .executableTarget(
      name: "TestKitBenchmarks",
      dependencies: [
        .product(name: "Causeway", package: "causeway"),
        .product(name: "CausewayTesting", package: "causeway"),
      ]),
    // Measuring/ is a link to the folder of Benchmarks, so the same code prints the same table.
    .executableTarget(
      name: "DataBenchmarks",
      dependencies: [
        "CAllocations", "CSQLiteFloor",
        .product(name: "CausewayData", package: "causeway"),
        .product(name: "CausewaySQLite", package: "causeway"),
      ]),
    // PostgreSQL compared with pgbench on the same server.
    .executableTarget(
      name: "PostgresBenchmarks",
      dependencies: [
        .product(name: "CausewayData", package: "causeway"),
        .product(name: "CausewayPostgres", package: "causeway"),
        .product(name: "CausewaySQLite", package: "causeway"),
      ]),
    // The orders of a closure that are explored in a second.
    .executableTarget(
      name: "ExplorationBenchmarks",
      dependencies: [.product(name: "CausewayExploration", package: "causeway")]),
    // Wishes.swift is a link to the code of an article.
    .executableTarget(
      name: "SimulationBenchmarks",
      dependencies: [
        .product(name: "CausewayData", package: "causeway"),
        .product(name: "CausewaySQLite", package: "causeway"),
        .product(name: "CausewaySimulation", package: "causeway"),
      ]),
    // The browser host under load with real connections, compared with a server that only sends.
    .target(name: "CEpoll"),
    .executableTarget(
      name: "WebBenchmarks",
      dependencies: [
        "CEpoll",
        .product(name: "Causeway", package: "causeway"),
        .product(name: "CausewayWeb", package: "causeway"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
