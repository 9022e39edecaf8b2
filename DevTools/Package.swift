// swift-tools-version: 6.2
import PackageDescription

// The tool behind `make`: the long checks, the measurements, and the lists that are compared with
// the sources. It does not depend on the libraries, because it builds them.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "DevTools",
  platforms: [.macOS("15.4")],
  targets: [
    .executableTarget(name: "devtools", swiftSettings: settings),
    .testTarget(name: "DevToolsTests", dependencies: ["devtools"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
