// swift-tools-version: 6.2
import PackageDescription

// `make fuzz` builds this package and instruments all modules.
let package = Package(
  name: "Fuzzing",
  platforms: [.macOS("15.4")],
  dependencies: [
    .package(name: "causeway", path: ".."), .package(name: "harbor", path: "../Examples/Harbor"),
  ],
  targets: [
    .target(name: "CLibFuzzer"),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "CLibFuzzer",
        .product(name: "CausewayData", package: "causeway"),
        .product(name: "CausewayHTTP", package: "causeway"),
        .product(name: "CausewaySQLite", package: "causeway"),
        .product(name: "HarborAttacks", package: "harbor"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
