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
    .target(name: "CausewayData", dependencies: ["CausewayStreams", "CausewaySystem"]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
    .target(
      name: "CausewaySQLite",
      dependencies: ["CausewayData", "CausewayStreams", "CausewaySystem", "CSQLite"]),
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
