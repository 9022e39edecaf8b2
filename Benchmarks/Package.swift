// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "causeway", path: "..")],
  targets: [
    .target(name: "CAllocations"),
    .target(name: "CSQLiteFloor", linkerSettings: [.linkedLibrary("sqlite3")]),
    // Features in a separate module, as in an app: another module sends to them.
    .target(
      name: "ClientFeatures",
      dependencies: [.product(name: "Causeway", package: "causeway")],
      swiftSettings: [
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CAllocations", "ClientFeatures", .product(name: "Causeway", package: "causeway"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
    .executableTarget(
      name: "TestKitBenchmarks",
      dependencies: [
        .product(name: "Causeway", package: "causeway"),
        .product(name: "CausewayTesting", package: "causeway"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
    // Measuring/ is a link to the folder of Benchmarks, so the same code prints the same table.
    .executableTarget(
      name: "DataBenchmarks",
      dependencies: [
        "CAllocations", "CSQLiteFloor",
        .product(name: "CausewayData", package: "causeway"),
        .product(name: "CausewaySQLite", package: "causeway"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
    // PostgreSQL compared with pgbench on the same server.
    .executableTarget(
      name: "PostgresBenchmarks",
      dependencies: [
        .product(name: "CausewayData", package: "causeway"),
        .product(name: "CausewayPostgres", package: "causeway"),
        .product(name: "CausewaySQLite", package: "causeway"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
    // Wishes.swift is a link to the code of an article.
    .executableTarget(
      name: "SimulationBenchmarks",
      dependencies: [
        .product(name: "CausewayData", package: "causeway"),
        .product(name: "CausewaySQLite", package: "causeway"),
        .product(name: "CausewaySimulation", package: "causeway"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
    // The browser host under load with real connections, compared with a server that only sends.
    .target(name: "CEpoll"),
    .executableTarget(
      name: "WebBenchmarks",
      dependencies: [
        "CEpoll",
        .product(name: "Causeway", package: "causeway"),
        .product(name: "CausewayWeb", package: "causeway"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
