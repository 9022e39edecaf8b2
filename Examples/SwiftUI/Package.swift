// swift-tools-version: 6.2
import PackageDescription

// Harbor's board as a SwiftUI app. The lower layers are links to the folders of the main package.
// Linux has neither SwiftUI nor os. There, the views and the lower layers are compiled with the
// declarations in Sources/SwiftUI and Sources/os. This package is separate because targets with
// those names would also change the other targets of the main package.
#if canImport(Darwin)
  let declarations: [Target] = []
#else
  let declarations: [Target] = [.target(name: "SwiftUI"), .target(name: "os")]
#endif
let appleModules = declarations.map { Target.Dependency.target(name: $0.name) }

let package = Package(
  name: "Board",
  platforms: [.macOS("15.4"), .iOS("18.4")],
  targets: declarations + [
    .target(name: "CausewaySystem"),
    .target(name: "CausewayStreams"),
    .target(
      name: "Causeway", dependencies: [.target(name: "CausewaySystem")] + appleModules),
    .target(name: "CausewaySimulationHooks", dependencies: ["CausewaySystem"]),
    .target(name: "CausewayFiles", dependencies: ["CausewaySystem"]),
    .target(name: "CausewayRetries"),
    .target(name: "CausewaySession", dependencies: ["CausewayStreams"]),
    .target(name: "CausewayCallbacks", dependencies: ["CausewayStreams", "CausewaySystem"]),
    .target(
      name: "CausewayDatabase",
      dependencies: [
        "CausewaySession", "CausewaySimulationHooks", "CausewayStreams", "CausewaySystem",
      ]),
    .target(
      name: "CausewayNetwork",
      dependencies: [
        "CausewayFiles", "CausewayRetries", "CausewaySession", "CausewaySimulationHooks",
        "CausewayStreams",
      ]),
    .target(
      name: "CausewayCache",
      dependencies: [
        "CausewayFiles", "CausewayRetries", "CausewaySession", "CausewaySimulationHooks",
        "CausewayStreams", "CausewaySystem",
      ]),
    .target(
      name: "CausewayStores",
      dependencies: [
        "CausewayDatabase", "CausewayFiles", "CausewayRetries", "CausewaySession",
        "CausewaySimulationHooks", "CausewayStreams", "CausewaySystem",
      ]),
    .target(
      name: "CausewayRepository",
      dependencies: [
        "CausewayCache", "CausewayDatabase", "CausewayNetwork", "CausewaySession",
        "CausewayStreams",
      ]),
    .target(
      name: "CausewaySync",
      dependencies: [
        "CausewayDatabase", "CausewayFiles", "CausewayNetwork", "CausewayRetries",
        "CausewaySession", "CausewaySimulationHooks", "CausewayStreams", "CausewaySystem",
      ]),
    .target(
      name: "CausewayData",
      dependencies: [
        "CausewayCache", "CausewayCallbacks", "CausewayDatabase", "CausewayFiles",
        "CausewayNetwork", "CausewayRepository", "CausewayRetries", "CausewaySession",
        "CausewaySimulationHooks", "CausewayStores", "CausewaySync",
      ]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
    .target(
      name: "CausewaySQLite",
      dependencies: [
        "CausewayDatabase", "CausewayFiles", "CausewaySimulationHooks", "CausewayStreams",
        "CausewaySystem", "CSQLite",
      ]),
    .target(name: "HarborDomain", dependencies: ["CausewayData"]),
    .target(name: "HarborFeatures", dependencies: ["Causeway", "CausewayData", "HarborDomain"]),
    .executableTarget(
      name: "Board",
      dependencies: [
        "Causeway", "CausewayData", "CausewaySQLite", "HarborDomain", "HarborFeatures",
      ] + appleModules),
  ],
  swiftLanguageModes: [.v6]
)

// The same settings as in the main package.
for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ]
}
