// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "pantry",
  platforms: [.macOS("15.4")],
  dependencies: [.package(name: "causeway", path: "../..")],
  targets: [
    .executableTarget(
      name: "pantry",
      dependencies: [
        .product(name: "Causeway", package: "causeway"),
        .product(name: "CausewayData", package: "causeway"),
        .product(name: "CausewayHTTP", package: "causeway"),
        .product(name: "CausewaySQLite", package: "causeway"),
        .product(name: "CausewayWeb", package: "causeway"),
        .product(name: "CausewayWebTesting", package: "causeway"),
      ]),
    .testTarget(
      name: "PantryTests",
      dependencies: [
        "pantry",
        .product(name: "CausewayDataTesting", package: "causeway"),
        .product(name: "CausewayTesting", package: "causeway"),
        .product(name: "CausewayWebTesting", package: "causeway"),
      ]),
  ]
)
