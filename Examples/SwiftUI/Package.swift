// swift-tools-version: 6.2
import PackageDescription

// Harbor's board as a SwiftUI app. The lower layers are links to the folders of the main package.
// Linux has no SwiftUI. There, the views and the lower layers are compiled with the declarations in
// Sources/SwiftUI. In the main package, a target of that name would also change the other targets.
#if canImport(Darwin)
  let declarations: [Target] = []
#else
  let declarations: [Target] = [.target(name: "SwiftUI")]
#endif
let swiftUI = declarations.map { Target.Dependency.target(name: $0.name) }

let package = Package(
  name: "Board",
  platforms: [.macOS(.v15), .iOS(.v18)],
  targets: declarations + [
    .target(name: "Causeway", dependencies: swiftUI),
    .target(name: "CausewaySystem"),
    .target(name: "CausewayData", dependencies: ["CausewaySystem"]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
    .target(name: "CausewaySQLite", dependencies: ["CausewayData", "CausewaySystem", "CSQLite"]),
    .target(name: "HarborDomain", dependencies: ["CausewayData"]),
    .target(name: "HarborFeatures", dependencies: ["Causeway", "CausewayData", "HarborDomain"]),
    .executableTarget(
      name: "Board",
      dependencies: [
        "Causeway", "CausewayData", "CausewaySQLite", "HarborDomain", "HarborFeatures",
      ] + swiftUI),
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
