// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "causeway",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Causeway", targets: ["Causeway"]),
    .library(name: "CausewayTesting", targets: ["CausewayTesting"]),
    .library(name: "CausewayTestingXCTest", targets: ["CausewayTestingXCTest"]),
    .library(name: "CausewayData", targets: ["CausewayData"]),
    .library(name: "CausewaySQLite", targets: ["CausewaySQLite"]),
    .library(name: "CausewayWeb", targets: ["CausewayWeb"]),
    .executable(name: "harbor", targets: ["harbor"]),
  ],
  targets: [
    // The runtime.
    .target(name: "Causeway"),

    // The test kit, and where its failures go in XCTest.
    .target(name: "CausewayTesting", dependencies: ["Causeway"]),
    .target(name: "CausewayTestingXCTest", dependencies: ["CausewayTesting"]),

    // The data layer and its drivers.
    .target(name: "CausewayData"),
    .target(name: "CausewaySQLite", dependencies: ["CausewayData", "CSQLite"]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),

    // The browser host.
    .target(
      name: "CausewayWeb", dependencies: ["Causeway", "CMicroHTTPD"],
      resources: [.embedInCode("PageScript/causeway.js")]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),

    // Harbor, the example app.
    .target(
      name: "HarborDomain", dependencies: ["CausewayData"], path: "Examples/Harbor/Domain"),
    .target(
      name: "HarborFeatures", dependencies: ["Causeway", "HarborDomain"],
      path: "Examples/Harbor/Features"),
    .target(
      name: "HarborApp",
      dependencies: [
        "Causeway", "CausewaySQLite", "CausewayWeb", "HarborDomain", "HarborFeatures",
      ],
      path: "Examples/Harbor", exclude: ["Command", "Domain", "Features"], sources: ["App"],
      resources: [
        .embedInCode("Page/index.html"), .embedInCode("Page/harbor.svg"),
        .embedInCode("Page/palette.css"), .embedInCode("Page/harbor.css"),
        .embedInCode("Page/board.css"), .embedInCode("Page/layout.css"),
      ]),
    .executableTarget(
      name: "harbor", dependencies: ["HarborApp"], path: "Examples/Harbor/Command"),

    // Tests.
    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .testTarget(name: "CausewayTests", dependencies: ["Causeway", "TestSupport"]),
    .testTarget(
      name: "CausewayTestingTests", dependencies: ["Causeway", "CausewayTesting", "TestSupport"]),
    .testTarget(
      name: "CausewayTestingXCTestTests",
      dependencies: ["Causeway", "CausewayTesting", "CausewayTestingXCTest"]),
    .testTarget(name: "CausewayDataTests", dependencies: ["CausewayData"]),
    .testTarget(name: "CausewaySQLiteTests", dependencies: ["CausewaySQLite", "CSQLite"]),
    .testTarget(name: "DocumentationTests", dependencies: ["Causeway"]),
    .testTarget(name: "CausewayWebTests", dependencies: ["CausewayWeb", "TestSupport"]),
    .target(name: "BrowserDriver", path: "Tests/BrowserDriver"),
    .testTarget(
      name: "HarborTests",
      dependencies: [
        "Causeway", "CausewayData", "CausewaySQLite", "HarborApp", "HarborDomain", "HarborFeatures",
      ]),
    .testTarget(
      name: "HarborBrowserTests", dependencies: ["BrowserDriver", "harbor"]),
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
