// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "causeway",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Causeway", targets: ["Causeway"]),
    .library(name: "CausewayWeb", targets: ["CausewayWeb"]),
  ],
  targets: [
    // The runtime.
    .target(name: "Causeway"),

    // The browser host.
    .target(
      name: "CausewayWeb", dependencies: ["Causeway", "CMicroHTTPD"],
      resources: [.embedInCode("PageScript/causeway.js")]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),

    // Tests.
    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .testTarget(name: "CausewayTests", dependencies: ["Causeway", "TestSupport"]),
    .testTarget(name: "CausewayWebTests", dependencies: ["CausewayWeb", "TestSupport"]),
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
